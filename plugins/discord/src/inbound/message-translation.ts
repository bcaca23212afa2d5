/** Messages of one account in the words of the contract, from the gateway or from the history. */
import type { InboundMessage, Log } from "@banyan/plugin-sdk";
import type { AccountHealth } from "@banyan/plugin-sdk/kit";
import type { MessageDispatch } from "../gateway/event-intake.ts";
import type { PlaceDirectory } from "../places/place-directory.ts";
import type { ThreadFates } from "../threads/thread-fates.ts";
import type { BotIdentity } from "./bot-identity.ts";
import type { MessagePlace } from "./message-place.ts";
import { parseMessage } from "./parse-message.ts";
import { translateMessage } from "./translate-message.ts";

export interface MessageTranslation {
  fromGateway(payload: MessageDispatch): Promise<InboundMessage | undefined>;
  fromHistory(payload: object, place: MessagePlace): Promise<InboundMessage | undefined>;
}

export interface MessageTranslationOptions {
  readonly me: BotIdentity;
  readonly directory: Pick<PlaceDirectory, "find">;
  readonly fates: Pick<ThreadFates, "takesNothing">;
  readonly health: Pick<AccountHealth, "note">;
  readonly log: Log;
}

export const CONTENT_CURE = "switch it on: Developer Portal → Bot → Message Content Intent, and start again";

export function createMessageTranslation(options: MessageTranslationOptions): MessageTranslation {
  const { me, directory, fates, health, log } = options;
  let hasTold = false;

  /** One message that cannot be translated must not stop all others, nor come again for ever: it is left out. */
  function translate(payload: object, place: MessagePlace, isUpdate: boolean): InboundMessage | undefined {
    try {
      const message = parseMessage(payload);
      const translated = message && translateMessage(message, { me, place, isUpdate });
      if (translated?.kind === "message") return translated.message;
      if (translated?.why === "no_content") tellOnce();
      return undefined;
    } catch (err) {
      log.error({ err, place }, "a message of Discord could not be translated and is left out");
      return undefined;
    }
  }

  function tellOnce(): void {
    if (hasTold) return;
    hasTold = true;
    health.note(
      `Discord keeps the text of messages from the bot, so in servers it hears mentions only; ${CONTENT_CURE}`,
    );
  }

  async function translateWhereOpen(payload: object, place: MessagePlace, isUpdate: boolean) {
    // An agent would work for an answer that nobody gets; people were told so where the bot may write, else the operator.
    if (await fates.takesNothing(place.channelId)) return undefined;
    return translate(payload, place, isUpdate);
  }

  return {
    async fromGateway({ t, d }) {
      // Half of all that comes; nothing else of it is looked at.
      if (isFrom(d, me.botId)) return undefined;
      const place = await directory.find(d.channel_id, d.guild_id);
      return translateWhereOpen(d, place, t === "MESSAGE_UPDATE");
    },
    fromHistory: (payload, place) => translateWhereOpen(payload, place, false),
  };
}

/** A changed message may come without its author, whatever its type says. */
function isFrom({ author }: { readonly author?: { readonly id: string } | null }, userId: string): boolean {
  return author?.id === userId;
}
