/** What a Bot API call is answered with; the HTTP status of a refusal is its `error_code`. */
export type Answer = Accepted | Refusal;

export interface Accepted {
  readonly ok: true;
  readonly result: unknown;
}

export interface Refusal {
  readonly ok: false;
  readonly error_code: number;
  readonly description: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

export const CONFLICT_TEXT =
  "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";

export function accept(result: unknown): Accepted {
  return { ok: true, result };
}

export function refuse(code: number, description: string): Refusal {
  return { ok: false, error_code: code, description };
}

/** A fault of the request itself. The real server writes the reason with a small first letter. */
export function refuseRequest(reason: string): Refusal {
  return refuse(400, `Bad Request: ${reason}`);
}

export function refuseForNow(retryAfterS: number): Refusal {
  return {
    ok: false,
    error_code: 429,
    description: `Too Many Requests: retry after ${retryAfterS}`,
    parameters: { retry_after: retryAfterS },
  };
}

/** The old id of a group that became a supergroup; the new one needs 52 bits. */
export function refuseMigrated(chatId: number): Refusal {
  const refusal = refuseRequest("group chat was upgraded to a supergroup chat");
  return { ...refusal, parameters: { migrate_to_chat_id: chatId } };
}
