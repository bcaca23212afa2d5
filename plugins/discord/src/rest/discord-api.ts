/** The calls that the channel makes, each with the words in which its failure is told. Routes: Discord documentation. */
import type { ChannelError, ChannelErrorClass } from "@banyan/plugin-sdk";
import type { REST } from "discord.js";
import { z } from "zod";
import { type CallContext, classifyDiscordError, type DiscordFault } from "../discord-fault.ts";
import type { FaultReport } from "../fault-report.ts";
import { type ChannelRecord, parseChannel } from "../places/channel-record.ts";
import { isSnowflake } from "../snowflake.ts";

export interface Call {
  readonly method: "get" | "post" | "patch" | "put" | "delete";
  /** Such as `/channels/1/messages`. */
  readonly route: `/${string}`;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Sent with the body, as a form. */
  readonly files?: readonly CallFile[];
  /** What is attempted, such as "Sending a message to channel 1". */
  readonly attempt: string;
  readonly context?: CallContext;
  /** The address holds its own secret: the token is not sent, and its refusal says nothing of the token. */
  readonly isOpen?: true;
}

export interface CallFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What became of a call: its answer, unread, or why there is none. */
export type Attempted = { readonly answer: unknown } | { readonly fault: DiscordFault; readonly error: ChannelError };

export interface DiscordApi {
  /** Never rejects. */
  attempt(call: Call): Promise<Attempted>;
  /** Resolves with the answer's body, unread. Throws a `ChannelError`. */
  call(call: Call): Promise<unknown>;
  /** `undefined` where Discord answers that it is not there, or not for the bot. */
  find(call: Call): Promise<unknown>;
  /** `undefined` where Discord answers anything that it will answer again: one channel must not hold up all others. */
  look(call: Call): Promise<unknown>;
  findChannel(channelId: string): Promise<ChannelRecord | undefined>;
}

/** Unknown channel, guild, message, member and user; missing access ("Opcodes and Status Codes": JSON error codes). */
const NOT_THERE: ReadonlySet<string | undefined> = new Set(["D16", "D18", "D19", "D20", "10007"]);

/** Asked again the answer is the same. */
const NEVER: ReadonlySet<ChannelErrorClass> = new Set(["permanent", "chat_gone", "thread_gone"]);

const entity = z.object({ id: z.string().refine(isSnowflake) });

export function createDiscordApi(rest: REST, reportFault: FaultReport): DiscordApi {
  function request({ method, route, query, body, files, isOpen }: Call): Promise<unknown> {
    return rest[method](route, {
      ...(query !== undefined && { query: new URLSearchParams(query) }),
      ...(body !== undefined && { body }),
      ...(files !== undefined && { files: files.map(({ name, bytes }) => ({ name, data: Buffer.from(bytes) })) }),
      ...(isOpen && { auth: false }),
    });
  }

  async function attempt(one: Call): Promise<Attempted> {
    try {
      return { answer: await request(one) };
    } catch (error) {
      const fault = classifyDiscordError(error, one.context);
      return { fault, error: reportFault(one.attempt, error, one.context, fault) };
    }
  }

  return buildDiscordApi(attempt);
}

/** `attempt` makes one call, and never rejects. */
export function buildDiscordApi(attempt: DiscordApi["attempt"]): DiscordApi {
  async function call(one: Call): Promise<unknown> {
    const tried = await attempt(one);
    if ("error" in tried) throw tried.error;
    return tried.answer;
  }

  async function find(one: Call): Promise<unknown> {
    const tried = await attempt(one);
    if (!("error" in tried)) return tried.answer;
    if (NOT_THERE.has(tried.fault.row)) return undefined;
    throw tried.error;
  }

  async function look(one: Call): Promise<unknown> {
    const tried = await attempt(one);
    if (!("error" in tried)) return tried.answer;
    if (NEVER.has(tried.error.class)) return undefined;
    throw tried.error;
  }

  return {
    attempt,
    call,
    find,
    look,
    async findChannel(channelId) {
      const answer = await look({
        method: "get",
        route: `/channels/${channelId}`,
        attempt: `Looking at Discord channel ${channelId}`,
      });
      return parseChannel(answer);
    },
  };
}

/** The id of what an answer holds. `whenNone` is thrown where it holds none. */
export function readId(answer: unknown, whenNone: () => ChannelError): string {
  const read = entity.safeParse(answer);
  if (!read.success) throw whenNone();
  return read.data.id;
}
