import { GROVE } from "./grove.ts";

/** A bare client of the REST API, so that the tests see exactly what goes over the wire. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** JSON, or the text where it is none; undefined for an empty one. */
  readonly body: unknown;
}

export type CallApi = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

export const AGENT = "DiscordBot (https://example.org, 1.0.0)";

export function createRestClient(url: string, token: string = GROVE.token): CallApi {
  return async (method, path, body) => {
    const response = await fetch(`${url}/v10${path}`, {
      method,
      headers: {
        authorization: `Bot ${token}`,
        "user-agent": AGENT,
        ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text || undefined };
  };
}
