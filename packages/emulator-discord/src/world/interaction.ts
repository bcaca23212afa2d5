import type { APIMessage } from "discord-api-types/v10";
import type { MessageLog } from "./message-log.ts";

/** The answer must begin within three seconds, and the token is good for fifteen minutes (Interactions; D37). */
export const ACK_LIMIT_MS: number = 3000;
export const TOKEN_LIMIT_MS: number = 15 * 60_000;

/** 4 message · 5 message to come · 6 nothing to see · 7 the message of the button · 8 choices · 9 a form. */
export type AckType = 4 | 5 | 6 | 7 | 8 | 9;

export interface InteractionAck {
  readonly type: AckType;
  readonly isEphemeral: boolean;
  /** Of types 4 and 7; else empty. */
  readonly content: string;
  /** Of type 8. */
  readonly choices: readonly { readonly name: string; readonly value: string | number }[];
  readonly atMs: number;
}

export interface InteractionInit {
  readonly id: string;
  readonly token: string;
  readonly type: number;
  readonly botId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly createdAtMs: number;
  /** All messages that answer it, also those only its user sees. */
  readonly log: MessageLog;
  /** The message with the button. */
  readonly sourceId?: string;
}

/** What a person did that asks its bot for an answer: a command, a button, half a word to complete. */
export class Interaction {
  readonly id: string;
  readonly token: string;
  readonly type: number;
  readonly botId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly createdAtMs: number;
  readonly log: MessageLog;
  readonly sourceId: string | undefined;
  ack: InteractionAck | undefined;
  /** The message that `@original` means. */
  originalId: string | undefined;

  constructor(init: InteractionInit) {
    this.id = init.id;
    this.token = init.token;
    this.type = init.type;
    this.botId = init.botId;
    this.userId = init.userId;
    this.channelId = init.channelId;
    this.createdAtMs = init.createdAtMs;
    this.log = init.log;
    this.sourceId = init.sourceId;
  }
}

/** Those that may still be answered. */
export class InteractionBook {
  readonly #byId = new Map<string, Interaction>();
  readonly #byToken = new Map<string, Interaction>();

  add(interaction: Interaction): void {
    this.#forgetOld(interaction.createdAtMs);
    this.#byId.set(interaction.id, interaction);
    this.#byToken.set(interaction.token, interaction);
  }

  find(id: string): Interaction | undefined {
    return this.#byId.get(id);
  }

  findByToken(token: string): Interaction | undefined {
    return this.#byToken.get(token);
  }

  /** A message that answers one of them, also where only its user sees it. */
  findMessage(messageId: string): APIMessage | undefined {
    for (const { log } of this.#byId.values()) {
      const message = log.find(messageId);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  #forgetOld(nowMs: number): void {
    for (const { id, token, createdAtMs } of this.#byId.values()) {
      // A test may ask long afterwards what became of one, so a few times the time that it is good for.
      if (nowMs - createdAtMs < 4 * TOKEN_LIMIT_MS) return;
      this.#byId.delete(id);
      this.#byToken.delete(token);
    }
  }
}
