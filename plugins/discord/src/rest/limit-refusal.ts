/**
 * discord.js takes every 429 for a rate limit whose time stands in the headers, forgets the body, and calls again at once
 * where they name none: for ever. So what the body says, and what names no time at all, is seen to here.
 */
import type { ChannelResponse } from "@banyan/plugin-sdk";
import { z } from "zod";
import { parseJson } from "../parse-json.ts";

/** Told by its shape, as discord.js' own `DiscordAPIError` is. */
class LimitRefusal extends Error {
  readonly status = 429;
  /** The body; empty where it was none of Discord's API. */
  readonly rawError: object;

  constructor(message: string, rawError: object) {
    super(message);
    this.name = "LimitRefusal";
    this.rawError = rawError;
  }
}

const limitBody = z.looseObject({
  message: z.string().optional(),
  /** Such as 30046, "edits to messages older than 1 hour": another try does not help ("Opcodes and Status Codes"). */
  code: z.number().optional(),
  /** Seconds. */
  retry_after: z.number().optional(),
});

/** The answer 429 as discord.js can wait for it. Throws a `LimitRefusal` for all else. */
export async function readLimit(answer: ChannelResponse): Promise<ChannelResponse> {
  const header = answer.headers.get("retry-after");
  const body = limitBody.safeParse(parseJson(await answer.text())).data;
  if (body === undefined) throw new LimitRefusal("no answer of Discord's API", readSeconds(header));
  const { code = 0, message = "no words", retry_after: waitS } = body;
  if (code !== 0) throw new LimitRefusal(message, body);
  if (waitS === undefined && header === null) throw new LimitRefusal(message, { ...body, message });
  if (waitS === undefined) return answer;
  // The body tells fractions of a second, the header whole ones.
  const get = (name: string): string | null =>
    name.toLowerCase() === "retry-after" ? String(waitS) : answer.headers.get(name);
  const { status, ok, text, json, bytes } = answer;
  return { status, ok, headers: { get }, text: text.bind(answer), json: json.bind(answer), bytes: bytes.bind(answer) };
}

function readSeconds(header: string | null): object {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? { retry_after: seconds } : {};
}
