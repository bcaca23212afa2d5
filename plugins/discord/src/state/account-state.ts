/** What an account has to know in its next life, kept as the cursor that is stored with each batch. Pure. */
import { z } from "zod";
import { parseJson } from "../parse-json.ts";
import { compareSnowflakes, isSnowflake } from "../snowflake.ts";
import { type Draft, parseDraft } from "./draft.ts";
import { parseShutPlace, type ShutPlace } from "./shut-place.ts";

/** One gateway session, as far as it can be resumed: what came up to `seq` is stored or needs no storing. */
export interface ShardSession {
  readonly id: string;
  readonly url: string;
  readonly seq: number;
}

export interface AccountState {
  /** Of one gateway connection each; a session of another number of shards cannot be resumed. */
  readonly shards: readonly (ShardSession | null)[];
  /** All messages up to this id were stored or left aside, but for those of `missed`. Absent before the first start. */
  readonly at?: string;
  /** Where there are several connections, the same of each: one may be deaf while the others hear. */
  readonly heard?: readonly string[];
  /** The id of the first start: what was said before it is none of the bot's business. */
  readonly since?: string;
  /** Guilds, and `dm` for direct messages, whose messages after the given id were not read yet. */
  readonly missed: Readonly<Record<string, string>>;
  /** The direct chats that were used last, newest first: no event tells of them after a gap. */
  readonly dms: readonly string[];
  /** The hash of the slash commands that Discord has. */
  readonly commands?: string;
  /** Growing answers that stand in a chat without being delivered. */
  readonly drafts: readonly Draft[];
  /** Where the bot may not write. */
  readonly shut: readonly ShutPlace[];
}

/** The gap of direct messages. */
export const DM_GUILD = "dm";
/** Each is asked about after a gap, one call each. */
const MOST_DMS = 100;
/** One connection has at most 2,500 servers (Discord documentation, "Gateway": sharding), and there are the direct chats. */
const MOST_MISSED = 2_501;

const snowflake = z.string().refine(isSnowflake);
const shard = z.object({ id: z.string(), url: z.string(), seq: z.number().int() });
const stored = z.object({
  v: z.literal(1),
  shards: z.array(shard.nullable()).default([]),
  at: snowflake.optional(),
  heard: z.array(snowflake).optional(),
  since: snowflake.optional(),
  missed: z.record(z.string(), snowflake).default({}),
  dms: z.array(snowflake).default([]),
  commands: z.string().optional(),
  drafts: z.array(z.unknown()).default([]),
  shut: z.array(z.unknown()).default([]),
});

export const EMPTY_STATE: AccountState = { shards: [], missed: {}, dms: [], drafts: [], shut: [] };

/** What a stored cursor says; what no version of ours wrote is as good as none. */
export function parseAccountState(cursor: string | undefined): AccountState {
  if (cursor === undefined) return EMPTY_STATE;
  const read = stored.safeParse(parseJson(cursor));
  if (!read.success) return EMPTY_STATE;
  const { shards, at, heard, since, missed, dms, commands, drafts, shut } = read.data;
  return {
    shards,
    missed,
    dms,
    drafts: drafts.map((one) => parseDraft(one)).filter((draft) => draft !== undefined),
    shut: shut.map((one) => parseShutPlace(one)).filter((place) => place !== undefined),
    ...(at !== undefined && { at }),
    ...(heard !== undefined && { heard }),
    ...(since !== undefined && { since }),
    ...(commands !== undefined && { commands }),
  };
}

export function formatAccountState(state: AccountState): string {
  return JSON.stringify({ v: 1, ...state });
}

/** What one connection has brought of messages. */
export interface Heard {
  /** The largest id. */
  readonly newest: string;
  /** Of the last event. */
  readonly seq: number;
  /** The direct chats among it, the one that was used last at the end. */
  readonly dms: ReadonlySet<string>;
}

/** The state after messages of a connection, in whatever order they came. */
export function noteHeard(state: AccountState, index: number, { newest, seq, dms }: Heard): AccountState {
  const { heard } = state;
  const noted = {
    ...state,
    at: findNewer(state.at, newest),
    ...(heard?.[index] && { heard: heard.with(index, findNewer(heard[index], newest)) }),
    ...(dms.size > 0 && { dms: [...new Set([...[...dms].reverse(), ...state.dms])].slice(0, MOST_DMS) }),
  };
  return noteSequence(noted, index, seq);
}

function findNewer(one: string | undefined, other: string): string {
  return one === undefined || compareSnowflakes(other, one) > 0 ? other : one;
}

/** There are so many connections. Where that changes each has heard no more for certain than all had. */
export function countShards(state: AccountState, count: number): AccountState {
  const { at, heard = [], ...rest } = state;
  if (at === undefined || heard.length === count || (heard.length === 0 && count === 1)) return state;
  const least = heard.toSorted(compareSnowflakes)[0] ?? at;
  return count === 1 ? { ...rest, at: least } : { ...rest, at, heard: Array.from({ length: count }, () => least) };
}

/** From now on what came up to `seq` on a shard is behind us. */
export function noteSequence(state: AccountState, index: number, seq: number): AccountState {
  const known = state.shards[index];
  if (known === undefined || known === null || known.seq >= seq) return state;
  return { ...state, shards: state.shards.with(index, { ...known, seq }) };
}

/** `session: null` where there is none to resume. */
export function noteSession(
  state: AccountState,
  index: number,
  session: ShardSession | null,
  count: number,
): AccountState {
  const shards = Array.from({ length: count }, (_, one) => (one === index ? session : (state.shards[one] ?? null)));
  return { ...state, shards };
}

/** The state of a first start at the time of this id, or the same of any later one. */
export function begin(state: AccountState, now: string): AccountState {
  return state.at === undefined ? { ...state, at: now, since: now } : state;
}

/**
 * Of these guilds nothing was heard since the last message that was, on their connection: it has to be read. An older gap
 * stays as old as it is.
 */
export function openGap(state: AccountState, guilds: readonly string[], index = 0): AccountState {
  const at = state.heard?.[index] ?? state.at;
  if (at === undefined) return state;
  const entries = guilds.map((guild) => [guild, state.missed[guild] ?? at] as const);
  return { ...state, missed: Object.fromEntries([...Object.entries(state.missed), ...entries].slice(-MOST_MISSED)) };
}

export function closeGap(state: AccountState, guild: string): AccountState {
  if (state.missed[guild] === undefined) return state;
  return { ...state, missed: Object.fromEntries(Object.entries(state.missed).filter(([one]) => one !== guild)) };
}
