/** What the store and the folder must look like when a story of sub-agents has come to rest. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TranscriptEntry } from "@banyan/plugin-sdk";
import type { RunEndReason, RunRow, SessionRow, StoreReads, TimerRow } from "@banyan/store";
import type { GatewayLives } from "./gateway-lives.ts";

const MOST_ROWS = 1_000;
/** What is put off until something is settled is put off for less. */
const STAYS_FOR_MS = 120_000;

export interface TreeEnd {
  /** How many runs ended so; those that were taken back are not counted. */
  readonly runs: Readonly<Partial<Record<RunEndReason, number>>>;
  /** Kinds of timers that may stay. */
  readonly timers: readonly string[];
  readonly bindings: number;
  /** Children that were put away. */
  readonly archived: number;
}

/** Kinds of timers that are due before the story is over, or that should not be there. */
export async function listTimersToCome(lives: GatewayLives, end: TreeEnd): Promise<readonly string[]> {
  const timers = await lives.read((read) => read.timers({ limit: MOST_ROWS }));
  const isToStay = ({ kind, dueAtMs }: TimerRow) => end.timers.includes(kind) && dueAtMs > Date.now() + STAYS_FOR_MS;
  return timers.filter((timer) => !isToStay(timer)).map(({ kind }) => kind);
}

/** Everything that is not as it should be, as sentences. The gateway has stopped. */
export function findTreeFaults(lives: GatewayLives, end: TreeEnd): Promise<readonly string[]> {
  return lives.read(async (read) => {
    const runs = await read.runs({ limit: MOST_ROWS });
    const sessions = await readSessions(runs, read);
    const entries = new Map<SessionRow, readonly string[]>();
    for (const session of sessions) {
      const rows = await read.entries({ sessionId: session.sessionId, limit: MOST_ROWS });
      entries.set(
        session,
        rows.map(({ body }) => body),
      );
    }
    const { bindings } = await read.routes();
    const archived = sessions.filter(({ archivedAtMs }) => archivedAtMs !== undefined).length;
    return [
      ...findRunFaults(runs, end),
      ...findCompletionFaults(lives, runs, sessions),
      ...findDifference("bindings", bindings.length, end.bindings),
      ...findDifference("archived sessions", archived, end.archived),
      ...findFileFaults(lives, runs, sessions),
      ...findLayoutFaults(lives, entries),
    ];
  });
}

async function readSessions(runs: readonly RunRow[], read: StoreReads): Promise<readonly SessionRow[]> {
  const listed = await read.sessions({ limit: MOST_ROWS });
  const keys = new Set(runs.map(({ childSessionKey }) => childSessionKey));
  for (const { key } of listed) keys.delete(key);
  const others = await Promise.all([...keys].map((key) => read.session(key)));
  return [...listed, ...others.filter((row) => row !== undefined)];
}

function findRunFaults(runs: readonly RunRow[], end: TreeEnd): readonly string[] {
  const counts: Record<string, number> = {};
  for (const { state, endedReason = state } of runs) counts[endedReason] = (counts[endedReason] ?? 0) + 1;
  delete counts["spawn-failed"];
  const isUnsettled = ({ settledBy, endedReason }: RunRow) => settledBy === undefined && endedReason !== "spawn-failed";
  return [
    ...findDifference("runs", sortKeys(counts), sortKeys(end.runs)),
    ...findDifference("runs that nobody told of", runs.filter(isUnsettled).length, 0),
  ];
}

/** I1: one completion each, in a transcript of the session that was told, and in no other. */
function findCompletionFaults(
  { stateDir }: GatewayLives,
  runs: readonly RunRow[],
  sessions: readonly SessionRow[],
): readonly string[] {
  const folder = join(stateDir, "agents", "main", "sessions");
  const told = readdirSync(folder).flatMap((file) => {
    const key = sessions.find((session) => session.file === file)?.key;
    const entries = readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean);
    return entries
      .map((line): TranscriptEntry => JSON.parse(line))
      .flatMap(({ content }) => content.flatMap((part) => (part.type === "completion" ? [part.completion.runId] : [])))
      .map((runId) => `${runId} in ${key ?? findTold(runs, runId)}`);
  });
  const owed = runs
    .filter(({ endedReason }) => endedReason !== "spawn-failed")
    .map(({ runId, toldSessionKey }) => `${runId} in ${toldSessionKey}`);
  return findDifference("completions", told.toSorted(), owed.toSorted());
}

/** A conversation that was left has no session any more. */
function findTold(runs: readonly RunRow[], id: string): string | undefined {
  return runs.find(({ runId }) => runId === id)?.toldSessionKey;
}

/** The folder of a run stands as long as its child does. */
function findFileFaults(
  { folder }: GatewayLives,
  runs: readonly RunRow[],
  sessions: readonly SessionRow[],
): readonly string[] {
  const path = join(folder, ".banyan");
  const living = new Set(sessions.flatMap(({ key, archivedAtMs }) => (archivedAtMs === undefined ? [key] : [])));
  const owners = runs.filter(({ childSessionKey, body }) => {
    const { attachments }: { attachments: readonly string[] } = JSON.parse(body);
    return attachments.length > 0 && living.has(childSessionKey);
  });
  const there = existsSync(path) ? readdirSync(path) : [];
  return findDifference("folders of attachments", there.toSorted(), owners.map(({ runId }) => runId).toSorted());
}

/** I20: the readable layout holds what the database holds. */
function findLayoutFaults(
  { stateDir }: GatewayLives,
  entries: ReadonlyMap<SessionRow, readonly string[]>,
): readonly string[] {
  const agent = join(stateDir, "agents", "main");
  const living = [...entries].filter(([{ archivedAtMs }]) => archivedAtMs === undefined);
  const keys = living.map(([{ key }]) => key).toSorted();
  const store: unknown = JSON.parse(readFileSync(join(agent, "sessions.json"), "utf8"));
  return [
    ...findDifference("keys in sessions.json", Object.keys(Object(store)).toSorted(), keys),
    ...living.flatMap(([{ key, file }, bodies]) => {
      const path = join(agent, "sessions", file);
      const text = existsSync(path) ? readFileSync(path, "utf8") : "";
      return findDifference(`lines of ${key}`, text, bodies.map((body) => `${body}\n`).join(""));
    }),
  ];
}

function findDifference(what: string, found: unknown, expected: unknown): readonly string[] {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  return one === other ? [] : [`${what}: ${one} instead of ${other}`];
}

function sortKeys(record: object): object {
  return Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
