import type { AppendEntriesStep, PruneStep, RecoverStep, WriteSessionStep } from "../../steps.ts";
import type { Store } from "../../store.ts";
import { type ModelState, modelOwners, modelTurnLanes, takeId, takeSessionId } from "./model-state.ts";
import { buildEntries, buildSession } from "./random-row.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

/** Everything that is settled, or nothing. */
const AGES_MS = [0, 1e12] as const;

export async function buildWriteSession(
  random: RandomSource,
  state: ModelState,
  store: Store,
): Promise<WriteSessionStep> {
  const key = pick(random, modelTurnLanes);
  const present = await store.read.session(key);
  const expectRevision = chance(random, 30) ? random(4) : (present?.revision ?? 0);
  const sessionId = present === undefined || expectRevision === 0 ? takeSessionId(state) : present.sessionId;
  const session = buildSession(random, state, key, expectRevision, sessionId);
  return { step: "write_session", writeId: takeId(state, "write"), session };
}

export async function buildAppendEntries(
  random: RandomSource,
  state: ModelState,
  store: Store,
): Promise<AppendEntriesStep> {
  const sessionKey = pick(random, modelTurnLanes);
  const present = await store.read.session(sessionKey);
  const sessionId = present?.sessionId ?? `none of ${sessionKey}`;
  return { step: "append_entries", sessionKey, sessionId, entries: buildEntries(random, state, 3) };
}

export function buildRecover(random: RandomSource): RecoverStep {
  return { step: "recover", owner: pick(random, modelOwners) };
}

export function buildPrune(random: RandomSource): PruneStep {
  const runs = chance(random, 70) ? { runsOlderThanMs: pick(random, AGES_MS) } : {};
  const audit = chance(random, 50) ? { auditOlderThanMs: pick(random, AGES_MS) } : {};
  return { step: "prune", olderThanMs: pick(random, AGES_MS), limit: 1 + random(6), ...runs, ...audit };
}
