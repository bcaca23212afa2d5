import type { FormErrors } from "./form-error.ts";

export interface RefusalParts {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly errors?: FormErrors;
  /** Seconds, for what may be tried again. */
  readonly retryAfterS?: number;
}

/** What a bot is refused, as the API words it: thrown by whatever looks at a request, answered by the pipeline. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of a 429, by which clients wait. */
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, code, message, errors, retryAfterS }: RefusalParts) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    const wait = status === 429 && retryAfterS !== undefined ? String(Math.ceil(retryAfterS)) : undefined;
    this.headers = wait === undefined ? {} : { "retry-after": wait, "x-ratelimit-scope": "user" };
    this.body = {
      message,
      // A plain 429 has no code of that table (Rate Limits).
      ...(code === 429 ? { global: false } : { code }),
      ...(errors !== undefined && { errors }),
      ...(retryAfterS !== undefined && { retry_after: retryAfterS }),
    };
  }
}

/** Codes of the JSON error table with the statuses that go with them. */
const REFUSALS = {
  429: [429, "You are being rate limited."],
  10003: [404, "Unknown Channel"],
  10004: [404, "Unknown Guild"],
  10007: [404, "Unknown Member"],
  10008: [404, "Unknown Message"],
  10011: [404, "Unknown Role"],
  10013: [404, "Unknown User"],
  10015: [404, "Unknown Webhook"],
  10062: [404, "Unknown interaction"],
  10063: [404, "Unknown application command"],
  20016: [400, "This action cannot be performed due to slowmode rate limit"],
  30007: [400, "Maximum number of webhooks reached (15)"],
  30015: [400, "Maximum number of attachments in a message reached (10)"],
  30033: [400, "Maximum number of thread participants has been reached (1000)"],
  30046: [429, "Maximum number of edits to messages older than 1 hour reached. Try again later"],
  40001: [401, "Unauthorized"],
  40003: [429, "You are opening direct messages too fast"],
  40005: [413, "Request entity too large. Try sending something smaller in size"],
  40058: [400, "Cannot send a message in a forum channel"],
  40060: [400, "Interaction has already been acknowledged"],
  40066: [400, "There are no tags available that can be set by non-moderators"],
  40067: [400, "A tag is required to create a forum post in this channel"],
  40333: [403, "internal network error"],
  50001: [403, "Missing Access"],
  50003: [403, "Cannot execute action on a DM channel"],
  50005: [403, "Cannot edit a message authored by another user"],
  50006: [400, "Cannot send an empty message"],
  50007: [403, "Cannot send messages to this user"],
  50008: [400, "Cannot send messages in a non-text channel"],
  50013: [403, "Missing Permissions"],
  50021: [403, "Cannot execute action on a system message"],
  50024: [400, "Cannot execute action on this channel type"],
  50027: [401, "Invalid Webhook Token"],
  50045: [400, "File uploaded exceeds the maximum size"],
  50083: [400, "Thread is archived"],
  50109: [400, "The request body contains invalid JSON."],
  160002: [400, "You cannot reply without permission to read message history"],
  160004: [400, "A thread has already been created for this message"],
  160005: [400, "Thread is locked"],
  160006: [400, "Maximum number of active threads reached"],
  200000: [400, "Message was blocked by automatic moderation"],
  200001: [400, "Title was blocked by automatic moderation"],
  160007: [400, "Maximum number of active announcement threads reached"],
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export function refuse(code: RefusalCode, retryAfterS?: number): Refusal {
  const [status, message] = REFUSALS[code];
  return new Refusal({ status, code, message, ...(retryAfterS !== undefined && { retryAfterS }) });
}

/** 50035, with what is wrong where in the body. */
export function refuseForm(errors: FormErrors): Refusal {
  return new Refusal({ status: 400, code: 50035, message: "Invalid Form Body", errors });
}

export const UNAUTHORIZED: { readonly message: string; readonly code: number } = {
  message: "401: Unauthorized",
  code: 0,
};
