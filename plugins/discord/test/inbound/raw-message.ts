/** Payloads as the gateway sends them, and the bot that hears them. */
import type { BotIdentity } from "../../src/inbound/bot-identity.ts";
import type { MessagePlace } from "../../src/inbound/message-place.ts";
import { parseMessage } from "../../src/inbound/parse-message.ts";
import { type MessageContext, translateMessage } from "../../src/inbound/translate-message.ts";

export const BOT_ROLE = "1100000000000000777";
export const me: BotIdentity = {
  account: "default",
  botId: "1100000000000000001",
  applicationId: "1100000000000000002",
  roleIds: new Set([BOT_ROLE]),
};

export const dm: MessagePlace = { kind: "dm", channelId: "1200000000000000001" };
export const room: MessagePlace = { kind: "channel", channelId: "1200000000000000002", guildId: "1300000000000000001" };
export const thread: MessagePlace = {
  kind: "thread",
  channelId: "1200000000000000003",
  parentId: "1200000000000000002",
  guildId: "1300000000000000001",
};

interface RawUser {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly bot?: true;
}

export const ada: RawUser = { id: "1000000000000000042", username: "ada", global_name: "Ada" };
export const grove: RawUser = { id: me.botId, username: "grove", global_name: null, bot: true };

export const MESSAGE_ID = "1439400000000000000";

/** A message of Ada with everything that Discord writes into one. */
export function buildRawMessage(part: object = {}): object {
  return {
    id: MESSAGE_ID,
    channel_id: "1200000000000000001",
    author: ada,
    content: "hello",
    timestamp: "2025-11-16T00:00:00.000000+00:00",
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    type: 0,
    flags: 0,
    nonce: null,
    ...part,
  };
}

/** The message of a payload in the words of the contract, or what else it is. */
export function read(part: object, context: Partial<MessageContext> = {}): unknown {
  const message = parseMessage(JSON.parse(JSON.stringify(buildRawMessage(part))));
  if (message === undefined) return "unreadable";
  const translated = translateMessage(message, { me, place: dm, ...context });
  return translated.kind === "message" ? translated.message : translated.why;
}
