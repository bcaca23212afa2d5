import type { Address } from "./address.ts";

/** Every way in which a platform refuses or loses a call. The core acts on the class alone. */
export const CHANNEL_ERROR_CLASSES = {
  definite: "certainly not accepted; the same call may be made again",
  ambiguous: "perhaps accepted: the request was under way when the answer was lost",
  permanent: "refused, and the same call will be refused again",
  rate_limited: "not accepted; wait `retryAfterMs`; costs no attempt",
  unauthorized: "the account's credentials are refused; the account stops",
  thread_gone: "the thread or topic is deleted, closed or out of reach",
  chat_gone: "the chat is deleted, or the bot is blocked, kicked or without the right to write",
  message_gone: "the message to edit is deleted or can no longer be edited",
  migrated: "the chat lives on under the address `migratedTo`",
  too_long: "over the platform's limit although the core split the text",
  bad_markup: "the platform cannot read the markup",
} as const;

export type ChannelErrorClass = keyof typeof CHANNEL_ERROR_CLASSES;

/** The platform does not take the call as it is, however often it is made. */
export const REFUSED_CLASSES: ReadonlySet<ChannelErrorClass> = new Set([
  "permanent",
  "thread_gone",
  "chat_gone",
  "too_long",
  "bad_markup",
]);

export interface ChannelErrorOptions {
  readonly cause?: unknown;
  /** With `rate_limited`, in milliseconds. */
  readonly retryAfterMs?: number;
  /** With `rate_limited`: the whole account is limited, not this chat alone. */
  readonly isAccountWide?: boolean;
  /** With `migrated`. */
  readonly migratedTo?: Address;
}

/**
 * The one error a plugin throws at the core, from `connect`, `send` and every ability. Anything else a plugin throws
 * counts as `ambiguous` and is logged with the plugin's name. The message says what was attempted, what the platform
 * answered and what to do, and holds no secret.
 */
export class ChannelError extends Error {
  readonly class: ChannelErrorClass;
  readonly retryAfterMs: number | undefined;
  readonly isAccountWide: boolean;
  readonly migratedTo: Address | undefined;

  constructor(errorClass: ChannelErrorClass, message: string, options: ChannelErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "ChannelError";
    this.class = errorClass;
    this.retryAfterMs = options.retryAfterMs;
    this.isAccountWide = options.isAccountWide ?? false;
    this.migratedTo = options.migratedTo;
  }
}
