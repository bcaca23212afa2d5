const MARK = "[token]";
/** Below this a secret is a test's toy, and replacing it would garble ordinary words. */
const SECRET_MIN_CHARS = 8;
/** How deep a chain of causes is followed; a cycle ends here too. */
const CAUSE_LIMIT = 5;

/** The text without the token and without its secret half, which a percent-encoded URL still shows. */
export function redactToken(text: string, token: string): string {
  const secret = token.slice(token.indexOf(":") + 1);
  const redacted = text.replaceAll(token, MARK);
  return secret.length < SECRET_MIN_CHARS ? redacted : redacted.replaceAll(secret, MARK);
}

/**
 * A copy of an error chain that may be logged: names, messages and stacks without the token. Own properties are left
 * out, for grammY keeps the call's payload there and other clients the URL.
 */
export function redactCause(error: unknown, token: string, depth: number = CAUSE_LIMIT): Error | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  const inner = redactCause("error" in error ? error.error : error.cause, token, depth - 1);
  const copy = new Error(redactToken(error.message, token), inner === undefined ? {} : { cause: inner });
  copy.name = error.name;
  copy.stack = redactToken(String(error.stack), token);
  return copy;
}
