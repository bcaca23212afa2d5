/** Strangers, links and moved chats with everything that a case does not care about filled in. */

import type { ReceivedItem } from "../input-steps.ts";
import type { NewLinkCode, NewPairing, SessionMove } from "../new-rows.ts";
import type { LinkEffect, MigrateChatStep, RekeyStep, SetLinksStep, SettlePairingStep } from "../route-steps.ts";
import type { CommandStep } from "../steps.ts";
import type { Store } from "../store.ts";
import {
  sampleAccount,
  sampleAudit,
  sampleCommand,
  sampleDelivery,
  sampleLane,
  sampleMessage,
  sampleSession,
} from "./sample-step.ts";
import { receiveOne } from "./store-script.ts";

export const hourMs = 3_600_000;
export const movedLane = "agent:main:test:dm:moved";
export const movedAddress = "test|default|moved";
export const ada = { channel: "test", peer: "ada" } as const;
export const bob = { channel: "test", peer: "bob" } as const;

export function samplePairing(senderId: string, more: Partial<NewPairing> = {}): NewPairing {
  return {
    ...sampleAccount,
    senderId,
    displayName: `name of ${senderId}`,
    code: `code of ${senderId}`,
    address: `test|default|${senderId}`,
    ttlMs: hourMs,
    mostPending: 9,
    ...more,
  };
}

/** A message of a stranger, with the pairing that is offered to him, the word about it and the one if there is no room. */
export function sampleStranger(id: string, pairing: NewPairing, more: Partial<ReceivedItem> = {}): ReceivedItem {
  const { session: _, ...item } = sampleMessage(id, { lane: "", refused: "unknown sender" });
  return {
    ...item,
    pairing,
    deliveries: [sampleDelivery(`code ${id}`)],
    ifFull: sampleDelivery(`full ${id}`),
    ...more,
  };
}

export function sampleSettle(
  senderId: string,
  to: SettlePairingStep["to"],
  more: Partial<SettlePairingStep> = {},
): SettlePairingStep {
  return { step: "settle_pairing", ...sampleAccount, senderId, to, deliveries: [], audit: sampleAudit, ...more };
}

export function sampleLinkCode(code: string, more: Partial<NewLinkCode> = {}): NewLinkCode {
  return { code, ...ada, address: "test|default|ada", ttlMs: hourMs, ...more };
}

export function sampleLinks(routeRevision: number, ...writes: SetLinksStep["writes"]): SetLinksStep {
  return { step: "set_links", routeRevision, writes, audit: sampleAudit };
}

/** A command of the sample lane that does this to the links; sent at once it can be sent again. */
export async function buildLinkCommand(store: Store, id: string, link: Partial<LinkEffect>): Promise<CommandStep> {
  const seq = await receiveOne(store, sampleCommand(id));
  const { revision } = await store.read.routes();
  const effect: LinkEffect = { routeRevision: revision, writes: [], ...link };
  return { step: "command", lane: sampleLane, seq, link: effect, items: [], deliveries: [] } as const;
}

/** From the sample lane, whose session was written once. */
export function sampleMove(more: Partial<SessionMove> = {}): SessionMove {
  return { from: sampleLane, to: movedLane, expectRevision: 1, body: '{"moved":true}', ...more };
}

export function sampleRekey(
  more: Partial<SessionMove> = {},
  sessionId: string = sampleSession(sampleLane).sessionId,
): RekeyStep {
  return { step: "rekey", move: sampleMove(more), sessionId, audit: sampleAudit };
}

export function sampleMigration(more: Partial<MigrateChatStep> = {}): MigrateChatStep {
  return {
    step: "migrate_chat",
    move: { channel: "test", fromChat: "ada", toChat: "moved" },
    addresses: [{ from: "test|default|ada", to: movedAddress }],
    sessions: [],
    audit: sampleAudit,
    ...more,
  };
}
