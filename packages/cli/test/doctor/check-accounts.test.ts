import type { AccessPolicy, GatewayStatus } from "@banyan/core";
import { type AccountInspection, CHANNEL_API_VERSION, type ChannelPlugin, type Clock } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { checkAccounts } from "../../src/doctor/check-accounts.ts";

const WELL: AccountInspection = { identity: "@grove_bot", findings: [] };
const SUBJECT = "irc/default";
const QUIET = () => undefined;
const NO_GROUPS: AccessPolicy["groups"] = {
  policy: "disabled",
  allow: new Set(),
  guilds: new Set(),
  requireMention: true,
};

interface Case {
  readonly inspect?: ChannelPlugin["inspect"];
  /** Of the gateway that runs. */
  readonly accounts?: GatewayStatus["accounts"];
  readonly clock?: Clock;
  readonly groups?: AccessPolicy["groups"];
}

/** One account, asked beside a gateway that says how it fares, if it says anything. */
function check({ inspect = async () => WELL, accounts, clock = createStillClock(), groups = NO_GROUPS }: Case) {
  const plugin: ChannelPlugin = {
    id: "irc",
    apiVersion: CHANNEL_API_VERSION,
    capabilities: {
      kinds: ["dm"],
      text: { limit: 400, measure: (text) => text.length },
      threads: false,
      edits: false,
      delivery: "at-least-once",
    },
    config: { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } },
    connect: () => Promise.reject(new Error("The doctor connects nothing")),
    inspect,
  };
  const nobody = new Set<string>();
  const access = { dmPolicy: "open", allowFrom: nobody, groups, catchUpMs: 0, isOperatorOnly: false } as const;
  const gateway = accounts === undefined ? undefined : buildStatus(accounts);
  const log = { debug: QUIET, info: QUIET, warn: QUIET, error: QUIET };
  return checkAccounts([{ plugin, accounts: [{ name: "default", config: {}, access }] }], gateway, { clock, log });
}

function buildStatus(accounts: GatewayStatus["accounts"]): GatewayStatus {
  const counts = {
    sessions: 0,
    waitingItems: 0,
    activeLanes: 0,
    unsettledDeliveries: 0,
    pendingPairings: 0,
    unfinishedRuns: 0,
  };
  return { status: "running", version: "0", accounts, running: 0, counts, uptimeMs: 0 };
}

function createStillClock(schedule: Clock["schedule"] = () => QUIET): Clock {
  return { now: () => 0, monotonic: () => 0, schedule };
}

test.each([
  [0, "ok", "within a minute"],
  [60_000, "ok", "within a minute"],
  [-60_000, "ok", "within a minute"],
  [60_001, "warning", "60 s ahead of"],
  [-90_000, "warning", "90 s behind"],
])("a clock %i ms ahead of the platform's is %s", async (clockAheadMs, level, text) => {
  const found = await check({ inspect: async () => ({ ...WELL, clockAheadMs }) });
  expect(found).toMatchObject([
    { subject: SUBJECT, level: "ok" },
    {
      subject: "clock",
      level,
      text: expect.stringContaining(text),
      ...(level === "ok" ? {} : { cure: "set it by NTP" }),
    },
  ]);
});

const SECOND = 'Polling: refused with 409 "Conflict: another one; make sure only one runs"';

test.each([
  ["running", undefined, []],
  [
    "running",
    "it can't write in channel 7; give its role the permission",
    [
      {
        level: "warning",
        text: "the gateway says running: it can't write in channel 7",
        cure: "give its role the permission",
      },
    ],
  ],
  [
    "retrying",
    `${SECOND}; stop the other`,
    [{ level: "warning", text: `the gateway says retrying: ${SECOND}`, cure: "stop the other" }],
  ],
  [
    "failed",
    "Polling: refused; take a new token",
    [{ level: "error", text: "the gateway says failed: Polling: refused", cure: "take a new token" }],
  ],
  [
    "failed",
    undefined,
    [{ level: "error", text: "the gateway says failed: no reason", cure: "banyan logs may know more" }],
  ],
])("of an account that the gateway has as %s because of %s", async (state, detail, findings) => {
  const [, ...rest] = await check({ accounts: { [SUBJECT]: { state, detail } } });
  expect(rest).toEqual(findings.map((finding) => ({ subject: SUBJECT, ...finding })));
});

test("an account that the running gateway does not have yet asks for a restart", async () => {
  const [, missing] = await check({ accounts: {} });
  expect(missing).toMatchObject({ subject: SUBJECT, level: "warning", cure: expect.stringContaining("restart") });
});

test("listening is left to the gateway that runs", async () => {
  const allowed: boolean[] = [];
  const inspect: ChannelPlugin["inspect"] = async ({ mayListen }) => {
    allowed.push(mayListen);
    return WELL;
  };
  await check({ inspect });
  await check({ inspect, accounts: { [SUBJECT]: { state: "running" } } });
  expect(allowed).toEqual([true, false]);
});

test("a platform that does not answer within 20 s is an error of its own", async () => {
  const waits: number[] = [];
  const clock = createStillClock((delayMs, callback) => {
    waits.push(delayMs);
    queueMicrotask(callback);
    return QUIET;
  });
  const inspect: ChannelPlugin["inspect"] = ({ signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  expect(await check({ inspect, clock })).toMatchObject([
    { level: "error", text: "no answer from the platform within 20 s", cure: expect.stringContaining("network") },
  ]);
  expect(waits).toEqual([20_000]);
});

test("a plugin learns where the account takes part and which commands should be registered", async () => {
  const asked: unknown[] = [];
  const inspect: ChannelPlugin["inspect"] = async ({ groups, commands, needsAllMessages }) => {
    asked.push(groups, needsAllMessages);
    expect(commands.find(({ name }) => name === "kill")).toMatchObject({ parameters: [{ kind: "target" }] });
    return WELL;
  };
  const groups = { policy: "allowlist", allow: new Set(["1"]), guilds: new Set(["9"]), requireMention: false } as const;
  await check({ inspect, groups });
  expect(asked).toEqual([{ policy: "allowlist", allow: ["1"], guilds: ["9"] }, true]);
});
