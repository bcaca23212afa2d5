/**
 * How many durable steps a second the store commits: 256 callers, each sending one message after another as
 * receive + claim, commit_turn with one delivery born sending, settle.
 *
 *   node packages/store-sqlite/bench/steps.ts [messages=20000] [callers=256] [readable=yes]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Claim, CommitTurnStep, ReceiveStep, SessionWrite, StepResult, Store } from "@banyan/store";
import { openSqliteStore } from "@banyan/store-sqlite";

const [messages = "20000", callers = "256", readable = "yes"] = process.argv.slice(2);
const TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(4);

interface Place {
  readonly store: Store;
  readonly caller: number;
  readonly turn: number;
  readonly key: string;
  readonly address: string;
  readonly session: Omit<SessionWrite, "expectRevision">;
}

/** What the core does for a message: three steps, each waited for. */
async function sendMessage(store: Store, caller: number, turn: number, times: number[]): Promise<void> {
  const key = `agent:main:telegram:dm:${caller}`;
  const sessionId = `00000000-0000-4000-8000-${String(caller).padStart(12, "0")}`;
  const session = { key, sessionId, agentId: "main", file: `bench-${caller}.jsonl`, body: '{"label":"bench"}' };
  const place: Place = { store, caller, turn, key, address: `telegram/main/${caller}`, session };
  const time = async <T>(step: Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await step;
    times.push(performance.now() - start);
    return result;
  };
  const received = await time(receive(place));
  const claim = received.status === "done" ? received.items[0]?.claim : undefined;
  if (claim === undefined) throw new Error(`bench: no claim, received ${JSON.stringify(received)}`);
  const committed = await time(commitTurn(place, claim));
  if (committed.status !== "done") throw new Error(`bench: not committed, received ${JSON.stringify(committed)}`);
  const outcome = { state: "sent", platformId: String(turn) } as const;
  const settled = await time(store.commit({ step: "settle", id: `delivery-${caller}-${turn}.0`, attempt: 1, outcome }));
  if (settled.status !== "done") throw new Error(`bench: not settled, received ${JSON.stringify(settled)}`);
}

function receive({ store, caller, turn, key, address, session }: Place): Promise<StepResult<ReceiveStep>> {
  const item = {
    lane: key,
    dedupe: `telegram/main/${caller}/${turn}`,
    nativeId: String(turn),
    kind: "message",
    address,
    body: JSON.stringify({ text: TEXT, sender: { id: String(caller) } }),
    laneCap: 100,
  } as const;
  const first = {
    ...item,
    session: { ...session, expectRevision: 0 },
    writer: { channel: "telegram", peer: String(caller) },
  };
  return store.commit({
    step: "receive",
    account: { channel: "telegram", account: "main" },
    cursor: String(turn),
    claim: { owner: "bench", claimId: `claim-${caller}-${turn}` },
    items: [turn === 0 ? first : { ...item, knownRevision: turn }],
  });
}

function commitTurn(place: Place, claim: Claim): Promise<StepResult<CommitTurnStep>> {
  const { store, caller, turn, key, address, session } = place;
  const content = [{ type: "text", text: TEXT }];
  const buildEntry = (role: string) => ({
    id: `${role}-${caller}-${turn}-4000-8000-000000000000`,
    body: JSON.stringify({ id: role, timestamp: 1, kind: "message", role, content }),
  });
  return store.commit({
    step: "commit_turn",
    lane: key,
    epoch: claim.epoch,
    items: [claim.item.seq],
    itemState: "done",
    entries: [buildEntry("user"), buildEntry("assistant")],
    session: { ...session, expectRevision: turn + 1 },
    deliveries: [
      {
        id: `delivery-${caller}-${turn}.0`,
        deliveryId: `delivery-${caller}-${turn}`,
        part: 0,
        of: 1,
        kind: "reply",
        channel: "telegram",
        account: "main",
        address,
        chat: address,
        sessionKey: key,
        policy: "at-least-once",
        sendingOwner: "bench",
        body: JSON.stringify({ text: TEXT }),
      },
    ],
  });
}

function findQuantile(sorted: readonly number[], quantile: number): string {
  return (sorted[Math.floor(sorted.length * quantile)] ?? 0).toFixed(2);
}

const stateDir = mkdtempSync(join(tmpdir(), "banyan-bench-"));
const store = await openSqliteStore({ stateDir, readable: readable === "yes" });
const times: number[] = [];
const turns = Math.ceil(Number(messages) / Number(callers));
const start = performance.now();
const cpuBefore = process.cpuUsage();
await Promise.all(
  Array.from({ length: Number(callers) }, async (_, caller) => {
    for (let turn = 0; turn < turns; turn += 1) await sendMessage(store, caller, turn, times);
  }),
);
const seconds = (performance.now() - start) / 1000;
const cpu = process.cpuUsage(cpuBefore);
await store.close();
times.sort((a, b) => a - b);
console.log(
  `${times.length} steps in ${seconds.toFixed(2)} s: ${Math.round(times.length / seconds)} steps/s, ` +
    `${Math.round(times.length / 3 / seconds)} messages/s; a step p50 ${findQuantile(times, 0.5)} ms, ` +
    `p99 ${findQuantile(times, 0.99)} ms; ${((cpu.user + cpu.system) / times.length).toFixed(1)} µs of CPU a step ` +
    `over all threads; closed after ${((performance.now() - start) / 1000 - seconds).toFixed(2)} s`,
);
rmSync(stateDir, { recursive: true, force: true });
