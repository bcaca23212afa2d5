import { commitPatiently } from "../../ports/commit-step.ts";
import { isUnfinished, type RunRecord } from "../../runs/run-record.ts";
import { awaitReply } from "../send/await-reply.ts";
import { buildMessageSender, type MessageSender, MOST_HOPS } from "../send/message-sender.ts";
import { refuseHops, sendMessage } from "../send/send-message.ts";
import { LOST_TURN } from "../send/sent-message.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { refuseUnknownSession, type ToolAnswer } from "../tools/tool-answer.ts";
import { readVisibleSession, type VisibleSession } from "../visibility/read-visible-session.ts";
import type { DirectingCall } from "./directing-call.ts";
import { buildSteerItem } from "./steer-item.ts";

/** As `sessions_send` to the child's session. */
export async function writeToRun(call: DirectingCall, parts: SubagentParts): Promise<ToolAnswer> {
  const { text = "", timeoutMs = 0, context } = call;
  const target = await readTarget(call, parts);
  if ("status" in target) return target;
  const sender = buildMessageSender(context);
  const sent = await sendMessage(sender, target, text, parts);
  if (sent.kind === "unsent") return sent.answer;
  return awaitReply(sent, { sender, timeoutMs, signal: context.signal }, parts);
}

/**
 * What a run at work is told: heard in its present turn where the agent can, else in one behind it, so that the run's result is the
 * answer to both.
 */
export async function steerRun(call: DirectingCall, parts: SubagentParts): Promise<ToolAnswer> {
  const { runs, text = "", context } = call;
  const [run] = runs;
  const target = await readTarget(call, parts);
  if ("status" in target) return target;
  if (run === undefined || !isUnfinished(run))
    return refuse("it has ended; use the action send, which gives it more to do");
  // A turn for a run that is not accepted could not be ended.
  if (run.state === "reserved") return refuse("it is not open yet; try again in a moment");
  const sender = buildMessageSender(context);
  if (sender.hops > MOST_HOPS) return refuseHops().answer;
  const enqueued = await enqueueSteer(run, { sender, text }, parts);
  if (enqueued === "fenced") return refuse(LOST_TURN);
  if (enqueued === "refused") return refuse("its session is gone; spawn a new sub-agent");
  const present = await parts.store.read.run(run.runId);
  if (present === undefined || present.state !== "ended") return { status: "sent", runId: run.runId };
  return refuse("it ended before it could hear this; use the action send, which gives it more to do");
}

async function enqueueSteer(
  run: RunRecord,
  { sender, text }: { readonly sender: MessageSender; readonly text: string },
  parts: SubagentParts,
): Promise<"done" | "already" | "fenced" | "refused"> {
  const { store, ports, signal } = parts;
  const { sessionKey, agentId, itemSeq, epoch, ordinal, hops } = sender;
  const from = { id: sessionKey, displayName: agentId };
  const message = { id: `steer|${itemSeq}|${ordinal}`, text, sender: from, at: ports.clock.now(), hops };
  const item = await buildSteerItem(run, message, parts);
  const askedBy = { lane: sessionKey, epoch };
  const { status } = await commitPatiently(store, { step: "enqueue", item, askedBy }, ports, signal);
  if (status === "done" || status === "already") parts.wakeLanes([item.lane]);
  return status;
}

async function readTarget(
  { runs, text, context }: DirectingCall,
  parts: SubagentParts,
): Promise<VisibleSession | ToolAnswer> {
  if (text === undefined) return refuse("there is no text; give one");
  const key = runs[0]?.childSessionKey ?? "";
  const session = await readVisibleSession(context.event.sessionKey, key, parts);
  return session ?? refuseUnknownSession("Writing to a sub-agent", key);
}

function refuse(problem: string): ToolAnswer {
  return { status: "error", error: `Writing to a sub-agent: ${problem}` };
}
