import { describe, expect, test } from "vitest";
import { decidePollRecovery } from "../../src/polling/poll-recovery.ts";
import type { TelegramFault } from "../../src/telegram-fault.ts";

const calm = { failures: 0, conflicts: 0, webhook: "delete", hasDeletedWebhook: false, random: 0 } as const;

function fault(part: Partial<TelegramFault>): TelegramFault {
  return { class: "ambiguous", what: "…", advice: "…", ...part };
}

describe("a failed poll", () => {
  test("T29: with a refused token stops the account", () => {
    expect(decidePollRecovery({ ...calm, fault: fault({ class: "unauthorized" }) })).toEqual({ kind: "stop" });
  });

  test("under flood control waits exactly as long as Telegram asks", () => {
    const limited = fault({ class: "rate_limited", row: "T27", retryAfterMs: 7_000 });
    expect(decidePollRecovery({ ...calm, failures: 9, random: 0.9, fault: limited })).toEqual({
      kind: "wait",
      delayMs: 7_000,
    });
  });

  test("T33: because of a webhook deletes it once, then waits", () => {
    const webhook = fault({ class: "definite", row: "T33" });
    expect(decidePollRecovery({ ...calm, fault: webhook })).toEqual({ kind: "delete_webhook" });
    expect(decidePollRecovery({ ...calm, fault: webhook, hasDeletedWebhook: true })).toMatchObject({ kind: "wait" });
  });

  test("T33: because of a webhook that may not be touched says so and waits, more and more", () => {
    const webhook = { ...calm, webhook: "refuse", fault: fault({ class: "definite", row: "T33" }) } as const;
    expect(decidePollRecovery(webhook)).toEqual({
      kind: "wait",
      delayMs: 2_500,
      hint: expect.stringContaining('webhook: "delete"'),
    });
    expect(decidePollRecovery({ ...webhook, conflicts: 9 })).toMatchObject({ delayMs: 30_000 });
  });

  test("T32: because of a second poller waits longer than for the network", () => {
    expect(decidePollRecovery({ ...calm, fault: fault({ row: "T32" }) })).toEqual({ kind: "wait", delayMs: 2_500 });
    expect(decidePollRecovery({ ...calm, fault: fault({}) })).toEqual({ kind: "wait", delayMs: 250 });
  });
});
