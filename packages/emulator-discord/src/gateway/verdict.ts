/** What becomes of a connection that identifies or resumes. */
export type Verdict<Accepted> =
  | { readonly kind: "accept"; readonly accepted: Accepted }
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  /** Op 9: not this session, and not now. */
  | { readonly kind: "invalid" };

export function closeWith(code: number, reason: string): Verdict<never> {
  return { kind: "close", code, reason };
}

export const INVALID: Verdict<never> = { kind: "invalid" };
export const UNREADABLE: Verdict<never> = closeWith(4002, "Error while decoding payload.");
export const UNAUTHENTICATED: Verdict<never> = closeWith(4003, "Not authenticated.");
export const REFUSED_TOKEN: Verdict<never> = closeWith(4004, "Authentication failed.");
export const AUTHENTICATED_ALREADY: Verdict<never> = closeWith(4005, "Already authenticated.");
