import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type ButtonOrder, deriveButtonKey, formatButtonId, parseButtonId } from "../../src/commands/button-id.ts";

const key = deriveButtonKey("MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gh1jkL.CANARY_oXfn7VdAxF0Wq9lPzT3s");
const ada = "1000000000000000042";
const bob = "1000000000000000043";
const now = 1_800_000_000_000;
const order: ButtonOrder = {
  action: "kill",
  runId: "0b5a3f0e-6f3d-4a53-9f0b-3a1d6ef0a001",
  userId: ada,
  expiresAt: now + 60_000,
};

function format(part: Partial<ButtonOrder> = {}): string {
  const id = formatButtonId({ ...order, ...part }, key);
  if (id === undefined) throw new Error("the button does not fit");
  return id;
}

describe("a button", () => {
  test.each(["kill", "retry", "answer 1", "answer 4"] as const)("tells what it was made for: %s", (action) => {
    const made = { action, runId: order.runId };
    expect(parseButtonId(format({ action }), { key, userId: ada, now })).toEqual({ kind: "order", order: made });
  });

  test("for everybody may be pressed by anybody", () => {
    const { userId: _, ...open } = order;
    const told = { action: order.action, runId: order.runId };
    const id = formatButtonId(open, key) ?? "";
    expect(parseButtonId(id, { key, userId: bob, now })).toEqual({ kind: "order", order: told });
  });

  test("has at most the hundred characters that Discord takes, with the longest ids", () => {
    const longest = { runId: order.runId, userId: "18446744073709551615", expiresAt: 4_102_444_800_000 };
    expect(format({ ...longest, action: "retry" }).length).toBeLessThanOrEqual(100);
  });

  it.each(["", "a.b", "x".repeat(41), "é"])("is left out for a run with the id %j", (runId) => {
    expect(formatButtonId({ ...order, runId }, key)).toBeUndefined();
  });

  test("does not show the token", () => {
    expect(format()).not.toContain("CANARY");
  });
});

describe("a press is refused", () => {
  test("by somebody else", () => {
    expect(parseButtonId(format(), { key, userId: bob, now })).toEqual({ kind: "refused", why: "not_yours" });
  });

  test("after its time", () => {
    const late = { key, userId: ada, now: order.expiresAt + 1 };
    expect(parseButtonId(format(), late)).toEqual({ kind: "refused", why: "expired" });
    expect(parseButtonId(format(), { ...late, now: order.expiresAt }).kind).toBe("order");
  });

  test("after the bot got another token", () => {
    const other = deriveButtonKey("another");
    expect(parseButtonId(format(), { key: other, userId: ada, now })).toEqual({ kind: "refused", why: "forged" });
  });

  test("for any change of any character", () => {
    const id = format();
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.constantFrom(..."abkr019.*-_"), (at, letter) => {
        const changed = id.slice(0, at) + letter + id.slice(at + 1);
        if (changed === id) return;
        expect(parseButtonId(changed, { key, userId: ada, now })).toEqual({ kind: "refused", why: "forged" });
      }),
    );
  });

  test("for any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant(format().slice(0, -1))), (text) => {
        expect(parseButtonId(text, { key, userId: ada, now })).toEqual({ kind: "refused", why: "forged" });
      }),
    );
  });
});
