import type { ChannelResponse } from "@banyan/plugin-sdk";
import type { ResponseLike } from "discord.js";

/** Discord documentation, "Rate Limits" (header format), and what tells the body's kind. */
const READ_HEADERS: readonly string[] = [
  "content-type",
  "retry-after",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset-after",
  "x-ratelimit-bucket",
  "x-ratelimit-scope",
  "x-ratelimit-global",
];

/** The host's answer as discord.js reads one. */
export function buildResponse(answer: ChannelResponse): ResponseLike {
  return {
    status: answer.status,
    statusText: "",
    ok: answer.ok,
    headers: copyHeaders(answer),
    body: null,
    bodyUsed: false,
    json: () => answer.json(),
    text: () => answer.text(),
    arrayBuffer: async () => {
      const bytes = await answer.bytes();
      const copy = new ArrayBuffer(bytes.byteLength);
      new Uint8Array(copy).set(bytes);
      return copy;
    },
  };
}

function copyHeaders({ headers }: ChannelResponse): Headers {
  const copy = new Headers();
  for (const name of READ_HEADERS) {
    const value = headers.get(name);
    if (value !== null) copy.set(name, value);
  }
  return copy;
}
