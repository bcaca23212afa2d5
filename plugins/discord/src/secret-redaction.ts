const MARK = "[token]";
/** Below this a secret is a test's toy, and replacing it would garble ordinary words. */
const SECRET_MIN_CHARS = 8;
/** How deep a chain of causes is followed; a cycle ends here too. */
const CAUSE_LIMIT = 5;
/** The paths that hold a secret themselves: who knows one may write in the bot's name. */
const SECRET_PATH = /(\/(?:webhooks|interactions)\/\d{1,20}\/)[^/?\s"']+/g;

/**
 * The text without the bot's token, without the part of it that signs (`<bot id>.<time>.<signature>`), and without the
 * tokens of webhooks and interactions, which stand in their addresses.
 */
export function redactToken(text: string, token: string): string {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  const redacted = text.replaceAll(token, MARK).replaceAll(SECRET_PATH, `$1${MARK}`);
  return signature.length < SECRET_MIN_CHARS ? redacted : redacted.replaceAll(signature, MARK);
}

/**
 * A copy of an error chain that may be logged: names, messages and stacks without the token. Own properties are left
 * out, for discord.js keeps the call's address and body there.
 */
export function redactCause(error: unknown, token: string, depth: number = CAUSE_LIMIT): Error | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  const inner = redactCause(error.cause, token, depth - 1);
  const copy = new Error(redactToken(error.message, token), inner === undefined ? {} : { cause: inner });
  copy.name = redactToken(String(error.name), token);
  copy.stack = redactToken(String(error.stack), token);
  return copy;
}
