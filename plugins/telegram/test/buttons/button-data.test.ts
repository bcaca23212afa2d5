import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type ButtonOrder, deriveButtonKey, formatButtonData, parseButtonData } from "../../src/buttons/button-data.ts";

const key = deriveButtonKey("7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s");
const ada = "42";
const bob = "43";
const now = 1_800_000_000_000;
const order: ButtonOrder = {
  action: "kill",
  runId: "0b5a3f0e-6f3d-4a53-9f0b-3a1d6ef0a001",
  userId: ada,
  expiresAt: now + 60_000,
};

function format(part: Partial<ButtonOrder> = {}): string {
  const data = formatButtonData({ ...order, ...part }, key);
  if (data === undefined) throw new Error("the button does not fit");
  return data;
}

describe("a button", () => {
  test.each(["kill", "retry", "stop", "answer 1", "answer 2", "answer 3", "answer 4"] as const)(
    "tells what it was made for: %s",
    (action) => {
      const made = { action, runId: order.runId };
      expect(parseButtonData(format({ action }), { key, userId: ada, now })).toEqual({ kind: "order", order: made });
    },
  );

  test("for everybody may be pressed by anybody", () => {
    const { userId: _, ...open } = order;
    const pressed = parseButtonData(formatButtonData(open, key) ?? "", { key, userId: bob, now });
    expect(pressed).toEqual({ kind: "order", order: { action: order.action, runId: order.runId } });
  });

  test("T5: has at most the 64 bytes that Telegram takes, with the longest ids", () => {
    const longest = { userId: "4503599627370495", expiresAt: 3_600_000_000_000 };
    expect(Buffer.byteLength(format(longest))).toBeLessThanOrEqual(64);
    expect(parseButtonData(format(longest), { key, userId: longest.userId, now }).kind).toBe("order");
    expect(format({ runId: "x".repeat(22) })).toHaveLength(62);
  });

  it.each(["", "a.b", "x".repeat(23), "é"])("is left out for a run with the id %j", (runId) => {
    expect(formatButtonData({ ...order, runId }, key)).toBeUndefined();
  });

  it.each(["1000000000000000042", "ada", ""])("is left out for somebody who has no id here: %j", (userId) => {
    expect(formatButtonData({ ...order, userId }, key)).toBeUndefined();
  });

  test("does not show the token", () => {
    expect(format()).not.toContain("CANARY");
  });
});

describe("a press is refused", () => {
  test("by somebody else", () => {
    for (const userId of [bob, "", "4", "422", "ada"])
      expect(parseButtonData(format(), { key, userId, now })).toEqual({ kind: "refused", why: "not_yours" });
  });

  test("after its time", () => {
    const late = { key, userId: ada, now: order.expiresAt + 1 };
    expect(parseButtonData(format(), late)).toEqual({ kind: "refused", why: "expired" });
    expect(parseButtonData(format(), { ...late, now: order.expiresAt }).kind).toBe("order");
  });

  test("after the bot got another token", () => {
    const other = deriveButtonKey("7550001:another");
    expect(parseButtonData(format(), { key: other, userId: ada, now })).toEqual({ kind: "refused", why: "forged" });
  });

  test("where a single letter of it was changed, whichever", () => {
    const made = format();
    for (const at of made.split("").keys()) {
      const changed = `${made.slice(0, at)}${made[at] === "a" ? "b" : "a"}${made.slice(at + 1)}`;
      expect(parseButtonData(changed, { key, userId: ada, now }), changed).toMatchObject({ kind: "refused" });
    }
  });

  test("for any text that nobody signed", () => {
    const property = fc.property(fc.string(), (data) => {
      expect(parseButtonData(data, { key, userId: ada, now })).toEqual({ kind: "refused", why: "forged" });
    });
    fc.assert(property);
  });
});
