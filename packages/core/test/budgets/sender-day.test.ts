import type { SessionEntry } from "@banyan/plugin-sdk";
import type { Store, StoreReads } from "@banyan/store";
import { expect, it } from "vitest";
import { createBudgetDesk } from "../../src/budgets/budget-desk.ts";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";
import { updateEntryAfterRun } from "../../src/sessions/update-after-run.ts";
import { openTestStore } from "../open-test-store.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

function buildEntry(at: number, userId: string): SessionEntry {
  const sessionId = `5f0c0000-0000-4000-8000-${String(at).padStart(12, "0")}`;
  return { ...openSessionEntry({ key: `agent:main:irc:dm:${at}`, sessionId, now: NOW }), userId };
}

/** As a session is opened, and as its turns end. */
async function addSession(store: Store, at: number, userId: string, turns: number): Promise<SessionEntry> {
  const key = `agent:main:irc:dm:${at}`;
  let entry = buildEntry(at, userId);
  const write = async (session: ReturnType<typeof buildSessionWrite>) =>
    store.commit({ step: "write_session", writeId: `${at} ${session.expectRevision}`, session });
  await write(buildSessionWrite({ key, agentId: "main", revision: 0 }, entry));
  for (let turn = 1; turn <= turns; turn += 1) {
    const figures = {
      now: NOW,
      policy: "touch-activity",
      messages: 2,
      toolCalls: 0,
      isFailed: false,
      turns: 1,
    } as const;
    const used = updateEntryAfterRun(entry, { ...figures, usage: { inputTokens: 9, outputTokens: 1, costUsd: 0.125 } });
    await write(buildSessionWrite({ key, agentId: "main", revision: turn, entry }, used));
    entry = used;
  }
  return entry;
}

/** The store's reads, with what was asked of them. */
function listenTo(read: StoreReads): { readonly read: StoreReads; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    read: {
      ...read,
      dayUsed: (query) => {
        asked.push("dayUsed");
        return read.dayUsed(query);
      },
      session: (key) => {
        asked.push("session");
        return read.session(key);
      },
      sessions: (query) => {
        asked.push("sessions");
        return read.sessions(query);
      },
      runs: (query) => {
        asked.push("runs");
        return read.runs(query);
      },
    },
  };
}

it.each([100, 1_000, 10_000])(
  "reads one row of a person's day at the start of a turn, of %i sessions",
  async (sessions) => {
    const store = openTestStore();
    // Every hundredth is hers.
    for (let at = 1; at <= sessions; at += 1) await addSession(store, at, at % 100 === 0 ? "ada" : `irc:${at}`, 1);
    const key = "agent:main:irc:dm:0";
    const entry = await addSession(store, 0, "ada", 1);
    const { read, asked } = listenTo(store.read);
    const desk = createBudgetDesk({ read, now: () => NOW });
    const turns = sessions / 100 + 1;
    const ask = (id: string, turnsPerSenderDay: number) =>
      desk.allot({ id, record: { key, entry }, budgets: { turnsPerSenderDay }, isRecovery: false });
    expect((await ask("one", turns + 1)).kind).toBe("granted");
    desk.release("one");
    expect(await ask("two", turns)).toMatchObject({ kind: "refused", by: { used: turns } });
    expect(asked).toEqual(["dayUsed", "dayUsed"]);
  },
);
