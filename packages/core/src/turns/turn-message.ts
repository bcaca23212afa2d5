import { formatSpeaker, type TurnMessage } from "@banyan/plugin-sdk";
import { isSameTask } from "../lanes/backlog.ts";
import { formatAttachment, listAttachments } from "../sessions/received-attachment.ts";
import { formatSummary } from "./collected-messages.ts";
import type { Turn } from "./compose-turn.ts";
import { readRecovery } from "./interrupts/read-recovery.ts";
import { buildCompletionMessage, buildTakenMessage, type TakenMessage } from "./taken-message.ts";
import type { TurnParts } from "./turn-parts.ts";

/** What the agent is given. What came with the input is labelled data, apart from the text. */
export async function buildTurnMessages(turn: Turn, parts: TurnParts): Promise<readonly TurnMessage[]> {
  const { id, record, body, completions, claim, address } = turn;
  const { key, agentId, entry } = record;
  const start = { sessionKey: key, sessionId: entry.sessionId, agentId, turnId: id };
  const added = parts.hooks.before_turn.isTapped ? await parts.hooks.before_turn.call(start) : undefined;
  const quoted = body.quote?.text ? [{ label: "quoted message", text: body.quote.text }] : [];
  const files = listAttachments(claim.item.seq, address, body.attachments);
  const attached = files.length > 0 ? [{ label: "attachments", text: files.map(formatAttachment).join("\n") }] : [];
  const recovered =
    entry.interruption === undefined
      ? []
      : await readRecovery(entry, entry.interruption, body.sender.id, parts.store.read);
  const context = [...quoted, ...attached, ...recovered, ...(added?.context ?? [])];
  const extra = { ...(context.length > 0 ? { context } : {}), ...(files.length > 0 ? { attachments: files } : {}) };
  if (completions.length > 0) {
    return completions.map((completion, index) => ({
      ...buildCompletionMessage(completion),
      ...(index === 0 ? extra : {}),
    }));
  }
  const kind = claim.item.kind === "nested" ? "nested" : "message";
  if (turn.overflow === "summarize") {
    const texts = [body, ...turn.messages.map((message) => message.body)].map(nameSender);
    return [{ kind, text: formatSummary(texts), sender: body.sender, ...extra }];
  }
  return [{ kind, text: body.text, sender: body.sender, ...extra }, ...listOthers(turn).map(buildTakenMessage)];
}

/** In a group several people may have written. They choose their names, so each stands as a JSON string beside the id. */
function nameSender({ text, sender }: Turn["body"], _at: number, all: readonly Turn["body"][]): string {
  const isOfOne = all.every((other) => other.sender.id === sender.id);
  if (isOfOne) return text;
  return `${formatSpeaker(sender)}: ${text}`;
}

/** Who asks for the same twice is told it once. */
function listOthers({ claim, address, body, messages }: Turn): readonly TakenMessage[] {
  const own = { kind: claim.item.kind, address, body };
  return messages.filter((other) => !isSameTask(own, other));
}
