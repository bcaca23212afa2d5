/**
 * A request that got no answer, from `ctx.fetch`. `sent: false` is definite: nothing was written to the connection
 * (name, refusal, TLS). `sent: true` is ambiguous: bytes of the request were under way, the platform may have acted.
 * The message names the host only, never the path, which may hold a token.
 */
export class TransportError extends Error {
  readonly sent: boolean;

  constructor(message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = "TransportError";
    this.sent = options.sent;
  }
}
