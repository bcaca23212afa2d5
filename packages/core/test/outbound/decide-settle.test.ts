import {
  CHANNEL_ERROR_CLASSES,
  type ChannelError,
  type ChannelErrorClass,
  type DeliveryPolicy,
} from "@banyan/plugin-sdk";
import type { DeliveryState } from "@banyan/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideSettle, decideWithoutEarlierPart } from "../../src/outbound/decide-settle.ts";
import { fails } from "./outbox-desk.ts";

const POLICIES: readonly DeliveryPolicy[] = ["effectively-once", "at-least-once", "at-most-once"];
const isClass = (name: string): name is ChannelErrorClass => name in CHANNEL_ERROR_CLASSES;
const CLASSES = Object.keys(CHANNEL_ERROR_CLASSES).filter(isClass);
const REFUSED = ["permanent", "thread_gone", "chat_gone", "message_gone", "too_long", "bad_markup"] as const;
const MINUTE_MS = 60_000;
const ROW = { policy: "at-least-once", maybeRepeated: false } as const;

/** Outcome, what waits, and whether the attempt is given back, at a first attempt. */
const TABLE: readonly (readonly [ChannelErrorClass, DeliveryPolicy | "any", string, string, string])[] = [
  ["definite", "any", "pending", "chat", ""],
  ["migrated", "any", "pending", "chat", ""],
  ["ambiguous", "effectively-once", "pending", "chat", "marked"],
  ["ambiguous", "at-least-once", "pending", "chat", "marked"],
  ["ambiguous", "at-most-once", "unknown", "none", ""],
  ["rate_limited", "any", "pending", "chat", "given back"],
  ["unauthorized", "any", "pending", "account_stopped", "given back"],
  ["permanent", "any", "undeliverable", "none", ""],
  ["thread_gone", "any", "undeliverable", "none", ""],
  ["chat_gone", "any", "undeliverable", "none", ""],
  ["message_gone", "any", "undeliverable", "none", ""],
  ["too_long", "any", "undeliverable", "none", ""],
  ["bad_markup", "any", "undeliverable", "none", ""],
];

function summarize(error: unknown, policy: DeliveryPolicy, maybeRepeated = false) {
  const { outcome, hold } = decideSettle(error, { attempts: 1, policy, maybeRepeated }, 0.5);
  const isMarked = "maybeRepeated" in outcome && outcome.maybeRepeated === true;
  const isBack = "giveBackAttempt" in outcome && outcome.giveBackAttempt === true;
  return [outcome.state, hold, [isMarked ? "marked" : "", isBack ? "given back" : ""].join("")];
}

describe("decideSettle", () => {
  it.each(TABLE)("%s under %s: %s, %s waits, attempt %s", (errorClass, given, state, hold, more) => {
    for (const policy of given === "any" ? POLICIES : [given]) {
      expect(summarize(fails(errorClass), policy)).toEqual([state, hold, more]);
    }
  });

  it.each(REFUSED)(
    "a row that may have arrived and then meets %s is unknown: nobody can say that nothing was delivered",
    (errorClass) => {
      for (const policy of POLICIES)
        expect(summarize(fails(errorClass), policy, true)).toEqual(["unknown", "none", ""]);
    },
  );

  it("has a line for each class and policy", () => {
    for (const errorClass of CLASSES) {
      const lines = TABLE.filter(([listed]) => listed === errorClass);
      expect(lines.length === 1 ? lines[0]?.[1] : lines.length, errorClass).toEqual(lines.length === 1 ? "any" : 3);
    }
  });

  it.each([new Error("no luck"), "text", undefined, null, 7, { class: "permanent" }])(
    "takes %j, which is no channel error, for ambiguous",
    (error) => {
      expect(summarize(error, "at-least-once")).toEqual(["pending", "chat", "marked"]);
      expect(summarize(error, "at-most-once")).toEqual(["unknown", "none", ""]);
    },
  );

  it("waits as long as the platform says, or five seconds, for the chat or for the account", () => {
    const decide = (error: ChannelError) => decideSettle(error, { ...ROW, attempts: 30 }, 0);
    expect(decide(fails("rate_limited", { retryAfterMs: 7_777 }))).toMatchObject({
      outcome: { retryInMs: 7_777 },
      hold: "chat",
    });
    for (const retryAfterMs of [undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const told = retryAfterMs === undefined ? {} : { retryAfterMs };
      expect(decide(fails("rate_limited", told))).toMatchObject({ outcome: { retryInMs: 5_000 } });
    }
    expect(decide(fails("rate_limited", { isAccountWide: true }))).toMatchObject({ hold: "account" });
  });

  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [9, 256_000],
    [10, 5 * MINUTE_MS],
    [29, 5 * MINUTE_MS],
  ])("after attempt %i waits %i ms, a quarter more or less", (attempts, ms) => {
    const waits = [0, 0.5, 0.999_999].map((random) => {
      const { outcome } = decideSettle(fails("definite"), { ...ROW, attempts }, random);
      return "retryInMs" in outcome ? outcome.retryInMs : -1;
    });
    expect(waits).toEqual([ms * 0.75, ms, ms * 1.25].map(Math.round));
  });

  it.each([30, 31, 1_000])(
    "after attempt %i the row is stuck, shown, tried again in half an hour, and blocks nobody",
    (attempts) => {
      for (const error of [fails("definite"), fails("ambiguous"), fails("migrated")]) {
        const { outcome, hold } = decideSettle(error, { ...ROW, attempts }, 0.5);
        expect({ ...outcome, hold }).toMatchObject({ state: "stuck", retryInMs: 30 * MINUTE_MS, hold: "none" });
      }
    },
  );

  it("is total, never drops what may be sent, and keeps the plugin's sentence", () => {
    const property = fc.property(
      fc.constantFrom(...CLASSES),
      fc.constantFrom(...POLICIES),
      fc.integer({ min: 1, max: 10_000 }),
      fc.boolean(),
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      (errorClass, policy, attempts, maybeRepeated, random) => {
        const { outcome } = decideSettle(fails(errorClass), { attempts, policy, maybeRepeated }, random);
        expect(outcome).toHaveProperty("error", fails(errorClass).message);
        if ("retryInMs" in outcome) {
          expect(outcome.retryInMs).toBeGreaterThanOrEqual(0);
          expect(outcome.retryInMs).toBeLessThanOrEqual(30 * MINUTE_MS);
        }
        const isRefused = REFUSED.some((refused) => refused === errorClass);
        expect(outcome.state === "undeliverable").toBe(isRefused && !maybeRepeated);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});

describe("a later part", () => {
  it.each<[DeliveryState, string]>([
    ["sent", "is sent"],
    ["sent_maybe_repeated", "is sent"],
    ["unknown", "is sent"],
    ["undeliverable", "undeliverable"],
    ["pending", "stuck"],
    ["sending", "stuck"],
    ["stuck", "stuck"],
  ])("behind one that is %s: %s", (state, expected) => {
    const decision = decideWithoutEarlierPart({ state, part: 1 });
    expect(decision?.outcome.state ?? "is sent").toBe(expected);
    if (decision?.outcome.state === "stuck") expect(decision.outcome.giveBackAttempt).toBe(true);
    if (decision !== undefined) expect(decision.outcome).toHaveProperty("error", expect.stringMatching(/^Part 1 /));
  });
});
