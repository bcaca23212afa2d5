/** Steps with everything that a case does not care about filled in. */

import type { ReceivedItem, ReceiveStep } from "../input-steps.ts";
import type { NewDelivery, NewEntry, NewItem, SessionWrite } from "../new-rows.ts";
import type { ItemKind } from "../rows.ts";
import { sealEntryBody } from "../store.ts";
import type { CommitTurnStep, ToolResultStep } from "../turn-steps.ts";

export const sampleAccount = { channel: "test", account: "default" } as const;
export const sampleLane = "agent:main:test:dm:ada";
export const otherLane = "agent:main:test:dm:bob";
export const sampleAddress = "test|default|ada";
export const otherAddress = "test|default|bob";
export const sampleOwner = "owner-1";
export const sampleAudit = { actor: "operator", action: "outbox", detail: "by hand" } as const;

/** Whose use is counted in cases and models. */
export const sampleDays = [
  { subject: "ada", day: "2026-11-21" },
  { subject: "ada", day: "2026-11-22" },
  { subject: "test:bob", day: "2026-11-21" },
] as const;

const PLENTY = 1_000;

export function sampleSession(key: string, more: Partial<SessionWrite> = {}): SessionWrite {
  return {
    key,
    sessionId: `id of ${key}`,
    agentId: "main",
    file: `${key}.jsonl`,
    expectRevision: 0,
    body: "{}",
    ...more,
  };
}

export function sampleItem(id: string, more: Partial<NewItem> = {}): NewItem {
  const body = JSON.stringify({ text: `text of ${id}` });
  return {
    lane: sampleLane,
    dedupe: `dedupe ${id}`,
    nativeId: id,
    kind: "message",
    address: sampleAddress,
    body,
    ...more,
  };
}

/** An item that brings its lane's session along. */
export function sampleMessage(id: string, more: Partial<ReceivedItem> = {}): ReceivedItem {
  const item = sampleItem(id, more);
  return { ...item, session: sampleSession(item.lane), laneCap: PLENTY, ...more };
}

export function sampleReceive(items: readonly ReceivedItem[], more: Partial<ReceiveStep> = {}): ReceiveStep {
  return { step: "receive", account: sampleAccount, items, ...more };
}

export function sampleDelivery(id: string, more: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id,
    deliveryId: id,
    part: 0,
    of: 1,
    kind: "reply",
    ...sampleAccount,
    address: sampleAddress,
    chat: sampleAddress,
    policy: "at-least-once",
    body: JSON.stringify({ text: `text of ${id}` }),
    ...more,
  };
}

export function sampleEntries(...ids: readonly string[]): readonly NewEntry[] {
  return ids.map((id) => ({ id, body: JSON.stringify({ id, role: "assistant" }) }));
}

/** The body as the store keeps it. */
export function sealedSample(seq: number, id: string): string {
  return sealEntryBody(seq, sampleEntries(id)[0]?.body ?? "");
}

/** Of the sample lane's first session id. */
export function sampleToolResult(epoch: number, itemSeq: number, ...ids: readonly string[]): ToolResultStep {
  const { key: lane, sessionId } = sampleSession(sampleLane);
  return { step: "tool_result", lane, epoch, sessionId, itemSeq, entries: sampleEntries(...ids) };
}

/** Ends a turn of the sample lane whose session was written once. */
export function sampleCommit(
  epoch: number,
  items: readonly number[],
  more: Partial<CommitTurnStep> = {},
): CommitTurnStep {
  return {
    step: "commit_turn",
    lane: sampleLane,
    epoch,
    items,
    itemState: "done",
    entries: [],
    session: sampleSession(sampleLane, { expectRevision: 1 }),
    deliveries: [],
    ...more,
  };
}

export function sampleCommand(id: string, more: Partial<ReceivedItem> = {}): ReceivedItem {
  const kind: ItemKind = "command";
  return sampleMessage(id, { kind, ...more });
}
