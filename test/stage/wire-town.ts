import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Grove, type GroveOptions, openGrove } from "./grove.ts";
import type { WireConfig } from "./wire-channel.ts";

const SentList = z.array(z.strictObject({ to: z.string(), text: z.string() }));
const OutcomeList = z.array(z.string());
const TapList = z.array(z.strictObject({ hook: z.string(), what: z.string() }));
const PATIENCE_MS = 60_000;

export interface WireOptions extends GroveOptions {
  /** Who may write; default is 1. */
  readonly allowFrom?: readonly string[];
  /** Further settings of the account. */
  readonly account?: Readonly<Record<string, unknown>>;
  /** Accounts beside the default one, by name. */
  readonly accounts?: Readonly<Record<string, unknown>>;
}

/** What somebody posts to the wire beside his words. */
export interface WireLetter {
  readonly id?: string;
  readonly name?: string;
  readonly addressed?: boolean;
  /** The server that the chat belongs to, and what the person is there. */
  readonly guild?: string;
  readonly roles?: readonly string[];
  readonly at?: number;
  readonly editedAt?: number;
  /** Which bot hears it; default is the default one. */
  readonly account?: string;
  readonly isBot?: boolean;
  readonly kind?: "dm" | "group";
  readonly chat?: string;
  readonly as?: { readonly channel: string; readonly account: string };
}

/** A grove with the stranger's channel in its folder, and the people there. */
export interface WireTown {
  readonly grove: Grove;
  /** Somebody on the wire; resolves with what became of the message. */
  says(from: string, text: string, letter?: WireLetter): Promise<string | undefined>;
  /** The first message not heard yet that was sent to this chat, whole. */
  hears(chat: string, text: string): Promise<void>;
  /** Everything that was sent to the chat since the gateway began. */
  sentTo(chat: string, account?: string): Promise<readonly string[]>;
  mood(send: WireConfig["send"]): Promise<void>;
  /** A group gets another id; the gateway is told of it, or finds out with its next message there. */
  move(from: string, to: string, how: "told" | "found out"): Promise<void>;
  taps(): Promise<readonly string[]>;
}

export async function openWireTown(options: WireOptions = {}): Promise<WireTown> {
  const { allowFrom = ["1"], account = {}, accounts = {}, config = {}, files = {}, ...rest } = options;
  const grove = await openGrove({
    ...rest,
    files: { ...readWireFiles(), ...files },
    config: {
      ...config,
      plugins: ["./wire-channel.ts"],
      channels: { wire: { accounts: { default: { allowFrom, ...account }, ...accounts } } },
    },
  });
  let count = 0;
  const heard = new Map<string, number>();
  let opened = grove.open;
  const call = async (path: string, body?: unknown, account = "default"): Promise<unknown> => {
    const wire = account === "default" ? "wire" : `wire-${account}`;
    const answer = await fetch(`${grove.open.gateway.url}/${wire}/${path}`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    assert.equal(answer.status, 200, `the wire answers ${answer.status} to ${path}`);
    return answer.json();
  };
  const readSent = async (after: number, account?: string) =>
    SentList.parse(await call(`sent?after=${after}`, undefined, account));
  return {
    grove,
    async says(from, text, { account, ...letter } = {}) {
      count += 1;
      const outcomes = OutcomeList.parse(await call("say", [{ id: `m${count}`, text, from, ...letter }], account));
      return outcomes[0];
    },
    async hears(chat, text) {
      // After a restart the platform begins anew.
      if (opened !== grove.open) heard.clear();
      opened = grove.open;
      const earlier = heard.get(chat) ?? 0;
      for (let known = 0; ; ) {
        const sent = await readSent(known === 0 ? -1 : known);
        const place = sent.findIndex(
          (message, index) => known + index >= earlier && message.to === chat && message.text === text,
        );
        if (place >= 0) {
          heard.set(chat, known + place + 1);
          return;
        }
        known += sent.length;
      }
    },
    sentTo: async (chat, account) =>
      (await readSent(-1, account)).filter(({ to }) => to === chat).map(({ text }) => text),
    move: async (from, to, how) => void (await call("move", { from, to, isTold: how === "told" })),
    mood: async (send) => void (await call("mood", send)),
    taps: async () => TapList.parse(await call("taps")).map(({ hook, what }) => `${hook}: ${what}`),
  };
}

function readWireFiles(): Readonly<Record<string, string>> {
  const names = ["wire-channel.ts", "wire-taps.ts"];
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, import.meta.url), "utf8")]));
}
