/** What becomes of a connection that identifies or resumes. */
export type Verdict<Accepted> = { readonly kind: "accept"; readonly accepted: Accepted } | Rejection;

export type Rejection =
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  /** Op 9: not this session, and not now. */
  | { readonly kind: "invalid" };

export function closeWith(code: number, reason: string): Rejection {
  return { kind: "close", code, reason };
}

export const INVALID: Rejection = { kind: "invalid" };
export const UNREADABLE: Rejection = closeWith(4002, "Error while decoding payload.");
export const UNAUTHENTICATED: Rejection = closeWith(4003, "Not authenticated.");
export const REFUSED_TOKEN: Rejection = closeWith(4004, "Authentication failed.");
export const AUTHENTICATED_ALREADY: Rejection = closeWith(4005, "Already authenticated.");
