import { formatAddress, type InboundMessage } from "@banyan/plugin-sdk";
import type { MessageGenerationStopped } from "grammy/types";
import type { BotIdentity } from "./bot-identity.ts";
import { formatUserName } from "./message-sender.ts";

/** A person has pressed the button that stops a growing answer: what they would have typed, but for the time of it. */
export interface StoppedDraft {
  readonly draftId: number;
  readonly message: Omit<InboundMessage, "at">;
}

/** Drafts are in private chats only, so the chat is the person. `updateId` tells one press from another. */
export function readStoppedDraft(
  { chat, message_thread_id: threadId, draft_id: draftId }: MessageGenerationStopped,
  updateId: number,
  { account }: BotIdentity,
): StoppedDraft {
  const place = { channel: "telegram", account, kind: "dm", chat: String(chat.id) } as const;
  return {
    draftId,
    message: {
      id: `stopped-${updateId}`,
      address: formatAddress(threadId === undefined ? place : { ...place, thread: String(threadId) }),
      sender: { id: String(chat.id), displayName: formatUserName(chat) },
      text: "/stop",
    },
  };
}
