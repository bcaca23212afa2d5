import type { LinkWrite, NewPairing, SessionMove } from "../../new-rows.ts";
import type {
  ExpectedWriters,
  LinkEffect,
  MigrateChatStep,
  RekeyStep,
  SetLinksStep,
  SettlePairingStep,
} from "../../route-steps.ts";
import type { Store } from "../../store.ts";
import {
  type ModelState,
  modelAccounts,
  modelAddresses,
  modelChildLanes,
  modelCodes,
  modelLanes,
  modelNewAddresses,
  modelPeers,
  modelSpansMs,
  modelTurnLanes,
  takeId,
} from "./model-state.ts";
import { buildDayCount, buildDeliveries, buildSession } from "./random-row.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

const MOST_PENDING = [1, 2, 9] as const;

export function buildPairing(random: RandomSource, state: ModelState): NewPairing {
  const code = takeId(state, "pairing");
  return {
    ...pick(random, modelAccounts),
    senderId: pick(random, modelPeers),
    code,
    address: pick(random, modelAddresses),
    ttlMs: pick(random, modelSpansMs),
    mostPending: pick(random, MOST_PENDING),
    ...(chance(random, 50) ? { displayName: `name of ${code}` } : {}),
  };
}

export async function buildSettlePairing(
  random: RandomSource,
  state: ModelState,
  store: Store,
): Promise<SettlePairingStep> {
  return {
    step: "settle_pairing",
    ...pick(random, modelAccounts),
    senderId: pick(random, modelPeers),
    to: pick(random, ["approved", "denied"] as const),
    ...(chance(random, 30) ? { routeRevision: await pickRevision(random, store) } : {}),
    deliveries: buildDeliveries(random, state, 1),
    audit: buildAudit(state, "pair"),
  };
}

export async function buildSetLinks(random: RandomSource, state: ModelState, store: Store): Promise<SetLinksStep> {
  const routeRevision = await pickRevision(random, store);
  const writes = buildLinks(random);
  return {
    step: "set_links",
    routeRevision,
    writes,
    ...(await buildExpected(random, modelLanes, store)),
    audit: buildAudit(state, "link"),
  };
}

/** The present one, mostly. */
export async function pickRevision(random: RandomSource, store: Store): Promise<number> {
  const { revision } = await store.read.routes();
  return chance(random, 10) ? revision + pick(random, [-1, 1]) : revision;
}

/** `code`: the code to be redeemed may be gone. At most that is wrong with it, or the revision. */
export async function buildLinkEffect(
  random: RandomSource,
  state: ModelState,
  store: Store,
  fault: "none" | "code" | "route",
): Promise<LinkEffect> {
  const { revision } = await store.read.routes();
  const code = pick(random, modelCodes);
  const who = { channel: "test", peer: pick(random, modelPeers) };
  const { offer } = await store.read.linkDesk({ code, ...who });
  const isFree = offer === undefined || offer.peer === who.peer || fault === "code";
  const address = pick(random, modelAddresses);
  return {
    routeRevision: fault === "route" ? revision + 1 : revision,
    writes: buildLinks(random),
    ...(isFree && chance(random, 50) ? { offer: { code, ...who, address, ttlMs: pick(random, modelSpansMs) } } : {}),
    ...(fault === "code" || (offer !== undefined && chance(random, 50)) ? { redeem: code } : {}),
    ...(chance(random, 30) ? { failure: { ...who, windowMs: pick(random, modelSpansMs) } } : {}),
    ...(chance(random, 20) ? { voidOffer: { channel: "test", peer: pick(random, modelPeers) } } : {}),
    ...(chance(random, 30) ? { audit: buildAudit(state, "link") } : {}),
  };
}

export async function buildRekey(random: RandomSource, state: ModelState, store: Store): Promise<RekeyStep> {
  const move = await buildMove(random, state, store);
  const present = await store.read.session(chance(random, 10) ? move.to : move.from);
  return {
    step: "rekey",
    move,
    sessionId: present?.sessionId ?? "none",
    ...(chance(random, 30) ? { routeRevision: await pickRevision(random, store) } : {}),
    ...(await buildExpected(random, [move.from], store)),
    ...(await buildChildren(random, state, store, [move])),
    audit: buildAudit(state, "rekey"),
  };
}

export async function buildMigrateChat(
  random: RandomSource,
  state: ModelState,
  store: Store,
): Promise<MigrateChatStep> {
  const chats = ["ada", "bob", "new"] as const;
  const sessions: SessionMove[] = [];
  for (let left = random(3); left > 0; left -= 1) sessions.push(await buildMove(random, state, store));
  const addresses = Array.from({ length: random(3) }, () => ({
    from: pick(random, modelAddresses),
    to: pick(random, modelNewAddresses),
  }));
  const move = { channel: "test", fromChat: pick(random, chats), toChat: pick(random, chats) };
  const children = await buildChildren(random, state, store, sessions);
  return { step: "migrate_chat", move, addresses, sessions, ...children, audit: buildAudit(state, "migrate") };
}

/** From a key that has a session, mostly, to one that has none; some come back from where they were moved to. */
async function buildMove(random: RandomSource, state: ModelState, store: Store): Promise<SessionMove> {
  const lanes = chance(random, 20) ? modelTurnLanes : modelLanes;
  const keys = [...lanes, ...state.movedKeys.slice(-3)];
  const from = pick(random, keys);
  const to = chance(random, 40) ? takeMovedKey(state) : pick(random, keys);
  const revision = (await store.read.session(from))?.revision ?? 0;
  const expectRevision = chance(random, 10) ? revision + 1 : revision;
  const body = JSON.stringify({ moved: takeId(state, "move") });
  const { serial } = state;
  const counts = serial % 3 === 0 ? { counts: [buildDayCount(state), buildDayCount({ serial: serial + 1 })] } : {};
  return { from, to, expectRevision, body, ...counts };
}

/** The record of one that does not move itself. */
async function buildChildren(
  random: RandomSource,
  state: ModelState,
  store: Store,
  moves: readonly SessionMove[],
): Promise<Pick<RekeyStep, "children">> {
  const key = pick(random, modelChildLanes);
  const present = await store.read.session(key);
  const isMoved = moves.some(({ from, to }) => from === key || to === key);
  if (!present || isMoved || !chance(random, 30)) return {};
  const revision = present.revision + (chance(random, 15) ? 1 : 0);
  return { children: [buildSession(random, state, key, revision, present.sessionId)] };
}

function takeMovedKey(state: ModelState): string {
  const key = `agent:main:${takeId(state, "moved")}`;
  state.movedKeys.push(key);
  return key;
}

/** As they stand, mostly; else one too few or one too many. */
async function buildExpected(
  random: RandomSource,
  sessionKeys: readonly string[],
  store: Store,
): Promise<{ expectWriters?: ExpectedWriters }> {
  if (chance(random, 50)) return {};
  const writers = (await Promise.all(sessionKeys.map((key) => store.read.writers(key)))).flat();
  const [sessionKey = ""] = sessionKeys;
  const judged = chance(random, 80)
    ? writers
    : pick(random, [writers.slice(1), [...writers, { sessionKey, channel: "test", peer: "nobody" }]]);
  return { expectWriters: { sessionKeys, writers: judged } };
}

function buildLinks(random: RandomSource): readonly LinkWrite[] {
  return Array.from({ length: random(3) }, () => ({
    channel: "test",
    peer: pick(random, modelPeers),
    person: pick(random, ["p", "q", null]),
  }));
}

function buildAudit(state: ModelState, action: string): SetLinksStep["audit"] {
  return { actor: "operator", action, detail: takeId(state, "audit") };
}
