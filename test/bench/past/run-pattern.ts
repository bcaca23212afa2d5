import type { DeliveryRow, EntryRow, ItemRow, RunRow, SessionRow, Store } from "@banyan/store";
import { openSqliteStore } from "@banyan/store-sqlite";
import { makeBenchFolder } from "../bench-folder.ts";
import { openLines, SPAWN_CONFIG, SpawnLoad } from "../spawn-load.ts";
import { ChatSubjectProcess } from "../subject-process.ts";

/** Everything that one run of a sub-agent leaves, from its spawn by a command to its completion in the chat. */
export interface RunPattern {
  readonly requester: SessionRow;
  readonly run: RunRow;
  readonly task: ItemRow;
  readonly child: SessionRow;
  /** Of the child: the task and its answer. */
  readonly entries: readonly EntryRow[];
  readonly completion: ItemRow;
  readonly delivery: DeliveryRow;
  /** What the requester's transcript says of it. */
  readonly told: EntryRow;
}

/** A run as a gateway makes it today, read back from its store. */
export async function recordRunPattern(): Promise<RunPattern> {
  const folder = makeBenchFolder(SPAWN_CONFIG);
  const subject = await ChatSubjectProcess.start(folder);
  const lines = await openLines(subject.door, "pattern", 1);
  await new SpawnLoad(lines, 1).completed;
  await subject.quiet();
  for (const line of lines) line.close();
  await subject.close();
  const store = await openSqliteStore({ stateDir: `${folder.path}/state`, readable: false });
  try {
    return await readPattern(store);
  } finally {
    await store.close();
  }
}

async function readPattern({ read }: Store): Promise<RunPattern> {
  const [run] = await read.runs({ limit: 1 });
  if (run === undefined) throw new Error("a run was recorded: the store has none");
  const { runId, childSessionKey, requesterSessionKey } = run;
  const child = getFound(await read.session(childSessionKey));
  const requester = getFound(await read.session(requesterSessionKey));
  const deliveries = await read.deliveries({ limit: 9 });
  const [told] = await read.entries({ sessionId: requester.sessionId, limit: 1 });
  return {
    requester,
    run,
    task: getFound(await read.itemByDedupe(`task|${runId}`)),
    child,
    entries: await read.entries({ sessionId: child.sessionId, limit: 9 }),
    completion: getFound(await read.itemByDedupe(`completion|${runId}`)),
    delivery: getFound(deliveries.find(({ kind }) => kind === "completion")),
    told: getFound(told),
  };
}

function getFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error("a run was recorded: not all that it leaves is in its store");
  return found;
}
