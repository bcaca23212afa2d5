import { type ChannelFetch, TransportError } from "@banyan/plugin-sdk";

/** What Discord "answers" instead of the emulator; `undefined` lets the call through. */
export type Interception = (method: string, path: string) => Response | undefined;

/** The least that keeps the contract of `ctx.fetch`, over the web's fetch. */
export function createLoopbackFetch(intercept: Interception = () => undefined): ChannelFetch {
  return async (url, request = {}) => {
    const { method = "GET", headers, body, signal, timeoutMs = 30_000 } = request;
    const intercepted = intercept(method, new URL(url).pathname);
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    try {
      const answer =
        intercepted ??
        (await fetch(url, {
          method,
          ...(headers !== undefined && { headers }),
          ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
          signal: AbortSignal.any(signals),
        }));
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      const { status, ok, headers: answered } = answer;
      return {
        status,
        ok,
        headers: answered,
        text: async () => text,
        json: async () => JSON.parse(text),
        bytes: async () => bytes,
      };
    } catch (cause) {
      throw new TransportError("no answer from 127.0.0.1", { sent: !isRefused(cause), cause });
    }
  };
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  return "code" in error.cause && error.cause.code === "ECONNREFUSED";
}
