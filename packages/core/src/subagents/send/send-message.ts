/**
 * A message from one session to another, stage by stage: sent before? · hops · the target takes input · a run of its own
 * (a `run` child below the sender) or a turn (any other session) · the lane wakes. The reply is another matter:
 * `awaitReply`.
 */
import { type Address, isAddress } from "@banyan/plugin-sdk";
import { formatInnerBody } from "../../lanes/item-body.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import { parseRunRow, type RunRecord } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import type { VisibleSession } from "../visibility/read-visible-session.ts";
import { findSent } from "./find-sent.ts";
import { buildSendDedupe, type MessageSender, MOST_HOPS } from "./message-sender.ts";
import { openSentRun } from "./open-sent-run.ts";
import { LOST_TURN, refuseMessage, type SentMessage, type UnsentMessage } from "./sent-message.ts";

export async function sendMessage(
  sender: MessageSender,
  target: VisibleSession,
  text: string,
  parts: SubagentParts,
): Promise<SentMessage | UnsentMessage> {
  const sent = await findSent(sender, parts.store.read);
  if (sent !== undefined) return sent;
  const { key } = target.record;
  if (key === sender.sessionKey) return refuseMessage("error", "it is your own session; say it in your answer");
  if (sender.hops > MOST_HOPS) return refuseHops();
  if (target.isArchived) return refuseMessage("error", `${key} was put away and takes no input; spawn a new sub-agent`);
  const latest = target.isBelow ? await readLatestRun(key, parts) : undefined;
  return latest?.body.mode === "run"
    ? openSentRun({ sender, latest, text }, parts)
    : enqueueMessage(sender, target, text, parts);
}

export function refuseHops(): UnsentMessage {
  const problem = `${MOST_HOPS} messages between agents have led to this turn, and more are not allowed; answer the person, whose next message begins anew`;
  return refuseMessage("forbidden", problem);
}

async function readLatestRun(childSessionKey: string, { store }: SubagentParts): Promise<RunRecord | undefined> {
  const [row] = await store.read.runs({ childSessionKey, newest: true, limit: 1 });
  return row === undefined ? undefined : parseRunRow(row);
}

/** A turn of the other session; what it answers goes to no chat. */
async function enqueueMessage(
  sender: MessageSender,
  target: VisibleSession,
  text: string,
  parts: SubagentParts,
): Promise<SentMessage | UnsentMessage> {
  const { store, ports, signal } = parts;
  const lane = target.record.key;
  const address = await findAddress(target, parts);
  if (address === undefined) return refuseMessage("error", `${lane} has no place to work from; write to another one`);
  const dedupe = buildSendDedupe(sender);
  const { sessionKey, agentId, epoch, hops } = sender;
  const body = formatInnerBody({
    id: dedupe,
    text,
    sender: { id: sessionKey, displayName: agentId },
    at: ports.clock.now(),
    isQuiet: true,
    hops,
  });
  ports.faultPoint("send.before");
  const item = { lane, dedupe, nativeId: dedupe, kind: "nested", address, body } as const;
  const askedBy = { lane: sessionKey, epoch };
  const enqueued = await commitPatiently(store, { step: "enqueue", item, askedBy }, ports, signal);
  ports.faultPoint("send.after");
  if (enqueued.status === "fenced") return refuseMessage("error", LOST_TURN);
  if (enqueued.status === "refused")
    return refuseMessage("error", `${lane} is gone; sessions_list names what is there`);
  parts.wakeLanes([lane]);
  return { kind: "turn", dedupe };
}

/** Where the target's own turns speak: what it spawns while it works on the message is told of there, and nowhere else. */
export async function findAddress(
  { record }: Pick<VisibleSession, "record">,
  { store }: Pick<SubagentParts, "store">,
): Promise<Address | undefined> {
  const threads = (await store.read.bindings({ sessionKey: record.key })).filter(({ kind }) => kind === "thread");
  const place = threads.at(-1)?.address ?? record.entry.deliveryContext;
  return place !== undefined && isAddress(place) ? place : undefined;
}
