import { buildSignedRequest } from "../acts/begin-interaction.ts";
import { EmulatorError } from "../ports/error.ts";
import type { Bot } from "../world/bot.ts";
import { ACK_LIMIT_MS } from "../world/interaction.ts";

const PING = { type: 1, version: 1 } as const;

/** Discord saves an address only when it answers a signed PING, and refuses a forged one with 401. */
export async function requireEndpoint(bot: Bot, url: string, id: string, nowMs: number): Promise<void> {
  const signed = buildSignedRequest(bot, { ...PING, id, token: `ping-${id}`, application_id: bot.id }, nowMs);
  const genuine = await ask(url, signed);
  const pong: unknown = genuine.status === 200 ? await genuine.json() : undefined;
  const isPong = typeof pong === "object" && pong !== null && "type" in pong && pong.type === 1;
  const forged = await ask(url, { ...signed, body: JSON.stringify({ ...PING, id, application_id: "0" }) });
  if (isPong && forged.status === 401) return;
  const text = `saving the interactions endpoint ${url}: a PING was answered with ${genuine.status}${isPong ? "" : " and no PONG"}, a forged one with ${forged.status}; it must be 200 and 401`;
  throw new EmulatorError("invalid_request", text);
}

async function ask(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(ACK_LIMIT_MS) });
  } catch (cause) {
    throw new EmulatorError("invalid_request", `saving the interactions endpoint ${url}: no answer`, { cause });
  }
}
