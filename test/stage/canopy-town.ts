import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { CanopyPlatform } from "./canopy-platform.ts";
import type { CanopyMessage, CanopyRecord } from "./canopy-record.ts";
import type { CanopyPlace } from "./canopy-wire.ts";
import { type Grove, type GroveOptions, openGrove } from "./grove.ts";

export interface CanopyOptions extends GroveOptions {
  /** Further settings of the account. */
  readonly account?: Readonly<Record<string, unknown>>;
}

/** Where somebody is; without one in the direct chat with the bot. */
export interface CanopyWhere {
  /** A group. */
  readonly group?: string;
  /** A thread's id: it is where it was opened. */
  readonly thread?: string;
}

/** Somebody on the canopy, by id. Only `ada` and `bob` may talk in direct chats, all in the groups `grove` and `lodge`. */
export interface CanopyPerson {
  /** Resolves when the gateway has stored it. With a group or without, the bot is meant. */
  says(text: string, where?: CanopyWhere): Promise<void>;
  /** Says it to all, without naming the bot, and waits for nothing. The message's id. */
  mumbles(text: string, where: CanopyWhere): string;
  /** The first message there that was not heard yet and is this. */
  hears(text: string | RegExp, where?: CanopyWhere): Promise<CanopyMessage>;
}

/** A grove whose people are on the canopy, a platform with threads that outlives every restart. */
export interface CanopyTown {
  readonly platform: CanopyPlatform;
  /** The witness: all the platform took, in every process of the gateway. */
  readonly record: CanopyRecord;
  readonly grove: Grove;
  person(id: string): CanopyPerson;
  /** What stands at a place now. */
  textsAt(id: string, where?: CanopyWhere): readonly string[];
}

/** Opens the platform; closed with the test. */
export async function openCanopyPlatform(): Promise<CanopyPlatform> {
  const platform = await new CanopyPlatform().open();
  onTestFinished(() => platform.close());
  return platform;
}

/** @public What a folder needs for a gateway on the platform, also of a process of its own. */
export function buildCanopyGrove(platform: Pick<CanopyPlatform, "url">, options: CanopyOptions = {}): GroveOptions {
  const { account = {}, config = {}, files = {}, ...rest } = options;
  const names = ["canopy-channel.ts", "canopy-line.ts", "canopy-taps.ts", "canopy-wire.ts"];
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const groups = { policy: "allowlist", allow: ["grove", "lodge"] };
  return {
    ...rest,
    files: { ...Object.fromEntries(names.map((name) => [name, read(name)])), ...files },
    config: {
      ...config,
      plugins: ["./canopy-channel.ts"],
      channels: {
        canopy: { accounts: { default: { url: platform.url, allowFrom: ["ada", "bob"], groups, ...account } } },
      },
    },
  };
}

export async function openCanopyTown(options: CanopyOptions = {}): Promise<CanopyTown> {
  const platform = await openCanopyPlatform();
  const grove = await openGrove(buildCanopyGrove(platform, options));
  const heard = new Set<CanopyMessage>();
  const placeOf = (id: string, { group, thread }: CanopyWhere = {}): CanopyPlace => {
    if (thread !== undefined)
      return platform.record.threads.find((known) => known.id === thread)?.place ?? never(thread);
    return group === undefined ? { kind: "dm", chat: id } : { kind: "group", chat: group };
  };
  return {
    platform,
    record: platform.record,
    grove,
    person: (from) => ({
      async says(text, where) {
        const place = placeOf(from, where);
        const id = platform.say({ from, place, text, ...(place.kind === "group" ? { addressed: true } : {}) });
        await platform.until(`"${text}" to be stored`, () => platform.hasTaken(id) || undefined);
      },
      mumbles: (text, where) => platform.say({ from, place: placeOf(from, where), text, addressed: false }),
      async hears(text, where) {
        const place = placeOf(from, where);
        const message = await platform.until(`${from} to hear ${text}`, () =>
          platform.record.messages.find(
            (sent) => !heard.has(sent) && isSamePlace(sent.place, place) && isText(sent.text, text),
          ),
        );
        heard.add(message);
        return message;
      },
    }),
    textsAt: (id, where) =>
      platform.record.messages.filter((sent) => isSamePlace(sent.place, placeOf(id, where))).map(({ text }) => text),
  };
}

function isSamePlace(one: CanopyPlace, other: CanopyPlace): boolean {
  return one.kind === other.kind && one.chat === other.chat && one.thread === other.thread;
}

function isText(text: string, expected: string | RegExp): boolean {
  return typeof expected === "string" ? text === expected : expected.test(text);
}

function never(thread: string): never {
  throw new Error(`The thread ${thread} was looked for: the canopy has none of that id`);
}
