import { request as callHttp, type IncomingMessage } from "node:http";
import type { Clock } from "@banyan/emulator-kit";

/** How a webhook answered. */
export interface WebhookAnswer {
  readonly status?: number;
  /** Undefined where the update was taken; else as getWebhookInfo tells it. */
  readonly error?: string;
  /** 0 where the answer names none. */
  readonly retryAfterS: number;
}

export interface WebhookPost {
  readonly url: URL;
  /** Undefined or empty: without the header. */
  readonly secretToken: string | undefined;
  readonly body: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 60_000;

/** One call on a connection of its own, as Telegram makes it. Never rejects. */
export function postUpdate({ url, secretToken, body, clock, signal }: WebhookPost): Promise<WebhookAnswer> {
  return new Promise((resolve) => {
    const fail = (error: string): void => finish({ error, retryAfterS: 0 });
    const call = callHttp(url, {
      method: "POST",
      agent: false,
      signal,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...(secretToken !== undefined && secretToken !== "" && { "x-telegram-bot-api-secret-token": secretToken }),
      },
    });
    const cancel = clock.schedule(TIMEOUT_MS, () => {
      fail("Read timeout expired");
      call.destroy();
    });
    function finish(answer: WebhookAnswer): void {
      cancel();
      resolve(answer);
    }
    call.on("response", (response) => {
      response.on("close", () => (response.complete ? undefined : fail("Webhook connection closed")));
      response.on("end", () => finish(readAnswer(response)));
      // A method that stands in the answer is not carried out.
      response.on("error", () => fail("Webhook connection closed")).resume();
    });
    call.on("error", (error) => fail(describe(error)));
    call.end(body);
  });
}

function readAnswer({ statusCode = 0, statusMessage = "", headers }: IncomingMessage): WebhookAnswer {
  if (statusCode >= 200 && statusCode <= 299) return { status: statusCode, retryAfterS: 0 };
  const retryAfterS = Number(headers["retry-after"] ?? 0);
  return {
    status: statusCode,
    error: `Wrong response from the webhook: ${statusCode} ${statusMessage}`,
    retryAfterS: Number.isSafeInteger(retryAfterS) ? retryAfterS : 0,
  };
}

function describe(error: Error): string {
  return "code" in error && error.code === "ECONNREFUSED" ? "Connection refused" : "Webhook connection closed";
}
