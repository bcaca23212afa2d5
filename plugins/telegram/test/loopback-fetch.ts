import { type ChannelFetch, TransportError } from "@banyan/plugin-sdk";

/** What Telegram "answers" instead of the emulator; `undefined` lets the call through. */
export type Interception = (method: string) => { readonly status: number; readonly body: object } | undefined;

/** Ends the call of this method when it is given up. */
type HangUp = (method: string) => AbortSignal;

/** The least that keeps the contract of `ctx.fetch`, over the web's fetch. */
export function createLoopbackFetch(intercept: Interception = () => undefined, hangUp?: HangUp): ChannelFetch {
  return async (url, request = {}) => {
    const { method, headers, body, signal, timeoutMs = 30_000 } = request;
    const called = url.slice(url.lastIndexOf("/") + 1);
    const answer = intercept(called);
    if (answer !== undefined) return Response.json(answer.body, { status: answer.status });
    const signals = [AbortSignal.timeout(timeoutMs), signal, hangUp?.(called)].filter((end) => end !== undefined);
    try {
      return await fetch(url, {
        ...(method !== undefined && { method }),
        ...(headers !== undefined && { headers }),
        ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
        signal: AbortSignal.any(signals),
      });
    } catch (cause) {
      throw new TransportError("no answer from 127.0.0.1", { sent: !isRefused(cause), cause });
    }
  };
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  return "code" in error.cause && error.cause.code === "ECONNREFUSED";
}
