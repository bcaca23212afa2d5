import type { BotSpec } from "../src/index.ts";

/** A bare client of the Bot API, so that the tests see exactly what goes over the wire. */
export interface ApiAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly result: unknown;
  readonly description: string | undefined;
  readonly parameters: unknown;
}

export const TOKEN = "4242:grove-secret";
export const GROVE: BotSpec = { token: TOKEN, username: "grove_bot", firstName: "Grove" };

export type CallApi = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<ApiAnswer>;

export function createBotClient(url: string, token: string = TOKEN): CallApi {
  return async (method, params = {}) => {
    const response = await fetch(`${url}/bot${token}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(params),
    });
    return readAnswer(response);
  };
}

export async function readAnswer(response: Response): Promise<ApiAnswer> {
  const body: unknown = await response.json();
  return {
    status: response.status,
    ok: pick(body, "ok") === true,
    result: pick(body, "result"),
    description: String(pick(body, "description") ?? "") || undefined,
    parameters: pick(body, "parameters"),
  };
}

/** Follows names and indexes into an unknown value. */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.entries(at).find(([key]) => key === String(name))?.[1];
  }
  return at;
}

export function pickId(answer: ApiAnswer): number {
  return Number(pick(answer.result, "message_id"));
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
