import type { DeliveryState, PairingState } from "../../rows.ts";
import { type ModelState, modelAccounts, modelAddresses, modelCodes, modelLanes, modelPeers } from "./model-state.ts";
import { listRunReads } from "./random-run-read.ts";
import { chance, type ModelRead, pick, type RandomSource } from "./random-source.ts";

const STATES: readonly (readonly DeliveryState[])[] = [
  ["pending"],
  ["pending", "stuck"],
  ["sending"],
  ["sent", "unknown"],
];

const PAIRING_STATES: readonly (readonly PairingState[])[] = [["pending"], ["denied", "approved"]];

export function buildRead(random: RandomSource, state: ModelState): ModelRead {
  const limit = 1 + random(5);
  const lane = pick(random, modelLanes);
  const sessionId = pick(random, state.sessionIds);
  const item = state.items.length > 0 ? pick(random, state.items) : { seq: 0, nativeId: "none" };
  const address = pick(random, modelAddresses);
  const account = pick(random, modelAccounts);
  const afterKey = chance(random, 50) ? { afterKey: lane } : {};
  const states = chance(random, 50) ? { states: pick(random, STATES) } : {};
  const newest = chance(random, 50);
  const pairingStates = pick(random, PAIRING_STATES);
  const desk = { code: pick(random, modelCodes), channel: "test", peer: pick(random, modelPeers) };
  const reads: readonly ModelRead[] = [
    (read) => read.sessions({ limit, ...afterKey }),
    (read) => read.sessions({ limit, agentId: "two" }),
    (read) => read.sessionById(sessionId),
    (read) => read.sessionByFile("main", `${sessionId}.jsonl`),
    (read) => read.entries({ sessionId, limit, newest }),
    (read) => read.entries({ sessionId, limit, afterSeq: limit, newest }),
    (read) => read.entriesOfItem({ itemSeq: item.seq }),
    (read) => read.item(item.seq),
    (read) => read.lane(lane),
    (read) => read.readyLanes({ limit, afterSeq: item.seq }),
    (read) => read.waitingCommands({ limit, afterSeq: item.seq }),
    (read) => read.deliveries({ limit, ...states, channel: account.channel }),
    (read) => read.deliveries({ limit, ...states, ...account, afterPos: item.seq }),
    (read) => read.receipts({ address, platformIds: listPlatformIds(state) }),
    (read) => read.history({ address, limit }),
    (read) => read.history({ address, limit, afterId: item.nativeId }),
    (read) => read.cursor(account.channel, account.account),
    (read) => read.routes(),
    (read) => read.pairings({ limit, states: pairingStates }),
    (read) => read.pairings({ limit }),
    (read) => read.linkDesk(desk),
    (read) => read.audit(newest ? { limit } : { limit, afterId: limit }),
    (read) => read.counts(),
  ];
  return pick(random, chance(random, 40) ? listRunReads(random, state) : reads);
}

/** Each that may have been given so far. */
function listPlatformIds({ serial }: ModelState): readonly string[] {
  return Array.from({ length: serial + 1 }, (_, at) => `platform ${at}`);
}
