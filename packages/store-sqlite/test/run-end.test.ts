import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommitTurnStep, EndRunsStep, RunEnd } from "@banyan/store";
import type { SqliteStore } from "@banyan/store-sqlite";
import { expect, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildDelivery, buildEntries, buildSession, buildWriteSession } from "./sample.ts";
import { buildAccept, buildChildKey, buildReserve } from "./sample-run.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const child = buildChildKey("r1");
const end: RunEnd = {
  runId: "r1",
  endedReason: "complete",
  result: "{}",
  timers: [],
  endTimers: [],
  completion: {
    lane: adaKey,
    dedupe: "completion|r1",
    nativeId: "r1",
    kind: "completion",
    address: "test|one|ada",
    body: "{}",
  },
  deliveries: [buildDelivery("end.0", { kind: "completion", runId: "r1" })],
};

function buildAlone(): EndRunsStep {
  return { step: "end_runs", ends: [end], closed: [] };
}

function buildWithTurn(itemSeq: number): CommitTurnStep {
  return {
    step: "commit_turn",
    lane: child,
    epoch: 1,
    items: [itemSeq],
    itemState: "done",
    entries: buildEntries("answer of r1"),
    session: buildSession({ key: child, sessionId: "r1", file: "r1.jsonl", expectRevision: 1 }),
    deliveries: [],
    run: { runId: "r1", mayWait: true, ends: [end], closed: [] },
  };
}

/** A module whose fault point kills the writing thread at this point, once it is armed. */
function writeFaultPoint(folder: string, point: string): { readonly url: string; arm(): void } {
  const [path, mark] = [join(folder, "fault-point.mjs"), join(folder, "armed")];
  writeFileSync(
    path,
    `import { existsSync, rmSync } from "node:fs";
     export default (name) => {
       if (name !== ${JSON.stringify(point)} || !existsSync(${JSON.stringify(mark)})) return;
       rmSync(${JSON.stringify(mark)});
       throw new Error("killed at " + name);
     };`,
  );
  return { url: pathToFileURL(path).href, arm: () => writeFileSync(mark, "") };
}

/** A run whose turn was claimed. Answers the turn's item. */
async function startRun(store: SqliteStore): Promise<number> {
  for (const step of [buildWriteSession("w1"), buildReserve("r1"), buildAccept("r1")]) await store.commit(step);
  const claimed = await store.commit({ step: "claim", lane: child, owner: "owner", claimId: "c1" });
  return claimed.status === "done" ? claimed.claim.item.seq : 0;
}

async function readEnd(store: SqliteStore): Promise<object> {
  return {
    lastEntry: (await store.read.entries({ sessionId: "r1", limit: 9 })).at(-1)?.id,
    run: (await store.read.run("r1"))?.state,
    completion: (await store.read.itemByDedupe("completion|r1"))?.state,
    delivery: (await store.read.delivery("end.0"))?.state,
  };
}

test.each([
  { by: "by itself", at: "store.commit.before", build: buildAlone, isThere: false },
  { by: "by itself", at: "store.commit.after", build: buildAlone, isThere: true },
  { by: "with its turn", at: "store.commit.before", build: buildWithTurn, isThere: false },
  { by: "with its turn", at: "store.commit.after", build: buildWithTurn, isThere: true },
])("a run's end is one commit: $by, killed at $at, all of it is there: $isThere", async ({ at, build, isThere }) => {
  const stateDir = createTemporaryFolder();
  const faultPoint = writeFaultPoint(stateDir, at);
  const store = await openTestStore({ stateDir, readable: false, faultPointModule: faultPoint.url });
  const itemSeq = await startRun(store);
  faultPoint.arm();
  await expect(store.commit(build(itemSeq))).rejects.toMatchObject({ code: "commit_unknown" });
  const before = { lastEntry: "second of r1", run: "running" };
  const lastEntry = build === buildAlone ? before.lastEntry : "answer of r1";
  const after = { lastEntry, run: "ended", completion: "waiting", delivery: "pending" };
  expect(await readEnd(store)).toEqual(isThere ? after : before);
  expect(await store.commit(build(itemSeq))).toMatchObject({ status: isThere ? "already" : "done" });
  expect(await readEnd(store)).toEqual(after);
});
