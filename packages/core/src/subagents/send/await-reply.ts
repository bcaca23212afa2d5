import type { SubagentParts } from "../subagent-parts.ts";
import type { ToolAnswer } from "../tools/tool-answer.ts";
import { waitFor } from "../wait/wait-for.ts";
import type { MessageSender } from "./message-sender.ts";
import { readReply } from "./read-reply.ts";
import type { SentMessage } from "./sent-message.ts";

/** What the sender is answered: at once, or when the other one has replied, at the latest when the time is over. */
export async function awaitReply(
  sent: SentMessage,
  {
    sender,
    timeoutMs,
    signal,
  }: { readonly sender: MessageSender; readonly timeoutMs: number; readonly signal: AbortSignal },
  parts: SubagentParts,
): Promise<ToolAnswer> {
  const run = sent.kind === "run" ? { runId: sent.runId } : {};
  if (timeoutMs === 0) return { status: "sent", ...run };
  const { store, hooks, ports } = parts;
  const look = () => readReply(sent, store.read);
  const listen = (wake: () => undefined) => {
    const name = "sessions_send";
    const disposers = [hooks.after_turn.tap(name, wake), hooks.subagent_ended.tap(name, wake)];
    return () => {
      for (const dispose of disposers) dispose();
    };
  };
  const wait = () => waitFor(look, { timeoutMs, signal, clock: ports.clock, listen });
  // A suspect that finds the reply has not waited, so it stays one.
  const answer = (await look()) ?? (await parts.rest(sender.sessionKey, wait));
  return answer ?? { status: "timeout", ...run };
}
