import type { SessionEntry } from "@banyan/plugin-sdk";
import type { SessionRow } from "@banyan/store";
import { expect, it } from "vitest";
import { createBudgetDesk } from "../../src/budgets/budget-desk.ts";

const KEY = "agent:main:main";

/** A desk over one conversation, whose record can be changed, also while it is read. */
function openDesk(first: Partial<SessionEntry>) {
  const found: { entry: SessionEntry; whileRead: () => void } = {
    entry: { sessionId: "s", updatedAt: 0, sessionFile: "f", ...first },
    whileRead: () => undefined,
  };
  const row = (): SessionRow => ({
    key: KEY,
    sessionId: "s",
    agentId: "main",
    file: "f",
    revision: 1,
    updatedAtMs: 0,
    body: JSON.stringify({ ...found.entry, sessionId: "6414930d-cb56-4167-87be-c11d355bb934" }),
  });
  const desk = createBudgetDesk({
    read: {
      session: async () => {
        const read = row();
        found.whileRead();
        return read;
      },
      dayUsed: async () => undefined,
      runs: async () => [],
    },
    now: () => 0,
  });
  const allot = (id: string, budgets: object) =>
    desk.allot({ id, record: { key: KEY, entry: found.entry }, budgets, isRecovery: false });
  return { found, desk, allot };
}

it("sets aside for a turn at work what such turns take, so that not all of them take the last of it", async () => {
  const { desk, allot } = openDesk({ totalTokens: 600, turnCount: 2 });
  const budgets = { tokensPerTree: 1_000 };
  expect(await allot("one", budgets)).toMatchObject({ kind: "granted", held: { tokens: 300 } });
  expect(await allot("two", budgets)).toMatchObject({ kind: "granted", held: { tokens: 100 } });
  expect(await allot("three", budgets)).toMatchObject({ kind: "refused", by: { used: 600 } });
  desk.release("two");
  desk.release("two");
  expect(await allot("three", budgets)).toMatchObject({ kind: "granted", held: { tokens: 100 } });
});

it("counts a turn that ends while the rows are read once, by what it has used", async () => {
  const { found, desk, allot } = openDesk({ totalTokens: 600, turnCount: 2 });
  const budgets = { turnsPerTree: 3 };
  expect((await allot("one", budgets)).kind).toBe("granted");
  // Its row was not there yet when it was read, and what was set aside is not there any more.
  found.whileRead = () => {
    found.entry = { ...found.entry, totalTokens: 900, turnCount: 3 };
    desk.release("one");
  };
  expect(await allot("two", budgets)).toEqual({ kind: "refused", by: { key: "turnsPerTree", limit: 3, used: 3 } });
});

it("reads nothing where nothing is limited", async () => {
  const { found, desk } = openDesk({});
  found.whileRead = () => expect.unreachable();
  const record = { key: KEY, entry: found.entry };
  for (const budgets of [undefined, { maxConcurrentTools: 2 }])
    expect(await desk.allot({ id: "one", record, budgets, isRecovery: false })).toMatchObject({ kind: "granted" });
});
