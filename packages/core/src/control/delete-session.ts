import { UNFINISHED_STATES } from "@banyan/store";
/**
 * A session is put away, with all that works for it or below it:
 *   1 end     its own run and everything below, in one step; requesters and chat are told
 *   2 stop    the turn that runs; what had waited begins and is stopped in its turn
 *   3 free    its places; its threads close by timers
 *   4 renew   whoever writes there later begins a new conversation
 *   5 archive
 * Killed in between, it stands as it is, and is deleted by asking again.
 */
import { listBindingTimerIds } from "../bindings/binding-timer.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import { pause } from "../ports/pause.ts";
import { endRuns } from "../runs/end-runs.ts";
import { endOwnTurn } from "../runs/own-turn.ts";
import { isChildSession } from "../runs/read-told-session.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { buildThreadClosing } from "../runs/thread-timer.ts";
import { canonicalizeSessionKey } from "../sessions/keys/canonical-session-key.ts";
import { reopenSessionEntry } from "../sessions/open-session-entry.ts";
import { buildSessionWrite, parseSessionRow, type SessionRecord } from "../sessions/session-record.ts";

export interface DeletedSession {
  readonly key: string;
  readonly sessionId: string;
  /** The runs that were ended by it. */
  readonly killed: readonly string[];
}

export interface DeletionParts extends RunParts {
  /** A binding was freed. */
  refreshRoutes(): Promise<unknown>;
}

/** What waits in its lane comes to its end one after the other. */
const LIMIT_MS = 20_000;
const LOOK_AGAIN_MS = 50;
const MOST_OWN_RUNS = 100;

/** Throws for a session that is not there or was put away, and where it does not come to rest. */
export async function deleteSession(given: string, actor: string, parts: DeletionParts): Promise<DeletedSession> {
  const { store, ports, signal, sessions, hooks } = parts;
  const key = canonicalizeSessionKey(given) ?? given.trim();
  const row = await store.read.session(key);
  if (row === undefined || row.archivedAtMs !== undefined) {
    const problem = `there is no session ${JSON.stringify(key)}; banyan sessions list shows them`;
    throw new BanyanError("session_not_found", `Deleting a session: ${problem}`);
  }
  const { agentId, sessionId } = row;
  const audit = { actor, action: "sessions-delete", detail: key };
  const killed = new Set<string>();
  for (const endsAt = ports.clock.monotonic() + LIMIT_MS; ; ) {
    for (const run of await endAll(key, parts)) killed.add(run.runId);
    await endOwnTurn(key, parts);
    await freePlaces(key, parts);
    await renew(key, sessionId, parts);
    ports.faultPoint("delete.before");
    const { status } = await commitPatiently(store, { step: "archive_session", key, audit }, ports, signal);
    ports.faultPoint("delete.after");
    if (status !== "refused") break;
    if (signal.aborted || ports.clock.monotonic() >= endsAt) {
      throw new BanyanError(
        "store_conflict",
        `Deleting ${key}: it does not come to rest; try again when it is quieter`,
      );
    }
    await pause(ports.clock, LOOK_AGAIN_MS, signal);
  }
  sessions.forget(key);
  void hooks.session_end.call({ sessionKey: key, sessionId, agentId, reason: "closed" });
  await parts.refreshRoutes();
  return { key, sessionId, killed: [...killed] };
}

async function endAll(key: string, parts: DeletionParts) {
  const own = await parts.store.read.runs({ childSessionKey: key, states: UNFINISHED_STATES, limit: MOST_OWN_RUNS });
  return endRuns(
    {
      runIds: own.map(({ runId }) => runId),
      closed: [key],
      reason: "session-delete",
      error: "Its conversation was deleted.",
      by: "operator",
    },
    parts,
  );
}

/** With the timers that would have ended them. A conversation that was turned to it leads to its agent again. */
async function freePlaces(key: string, parts: DeletionParts): Promise<void> {
  const { store, ports, signal, wakeTimers } = parts;
  const bindings = await store.read.bindings({ sessionKey: key });
  if (bindings.length === 0) return;
  const [run] = await store.read.runs({ childSessionKey: key, newest: true, limit: 1 });
  for (const { id, address, kind } of bindings) {
    const timers = kind === "thread" ? [buildThreadClosing({ id, address }, run?.runId)] : [];
    const free = { address, binding: null, bindingId: id, timers, endTimers: listBindingTimerIds(id) };
    await commitPatiently(store, { step: "bind", ...free }, ports, signal);
  }
  wakeTimers();
}

/** Once nothing waits. A child keeps its record: nobody writes to it, and it says who is above it. */
async function renew(key: string, sessionId: string, parts: DeletionParts): Promise<void> {
  const { store, ports, signal, sessions } = parts;
  const [lane, row] = await Promise.all([store.read.lane(key), store.read.session(key)]);
  if (row?.sessionId !== sessionId || isChildSession(key) || lane.active.length > 0 || lane.waiting > 0) return;
  const record: SessionRecord = parseSessionRow(row);
  const entry = reopenSessionEntry(record.entry, { key, sessionId: ports.createUuid(), now: ports.clock.now() });
  // Refused where it changed meanwhile: it is looked at again.
  const session = buildSessionWrite(record, entry);
  await commitPatiently(store, { step: "write_session", writeId: ports.createId(), session }, ports, signal);
  sessions.forget(key);
}
