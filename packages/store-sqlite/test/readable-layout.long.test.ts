import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exportReadableLayout } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { fillStore, readLines, readSessions } from "./readable-folder.ts";
import { adaKey, buildAppend, buildEntries, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

describe("the readable layout", () => {
  test("shows each session's record, pretty, and each entry as one line", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await fillStore(store);
    await store.projectNow();
    const folder = join(stateDir, "agents", "main");
    expect(readFileSync(join(folder, "sessions.json"), "utf8")).toMatchInlineSnapshot(`
      "{
        "agent:main:test:dm:ada": {
          "sessionId": "ada-1",
          "label": "Ada"
        }
      }
      "
    `);
    const entries = await store.read.entries({ sessionId: "ada-1", limit: 10 });
    const text = readFileSync(join(folder, "sessions", "ada-1.jsonl"), "utf8");
    expect(text).toBe(entries.map(({ body }) => `${body}\n`).join(""));
    expect(text).toContain('{"seq":1,"id":"e1","text":"text of e1 ✓"}\n');
  });

  test("is complete after an orderly stop", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await fillStore(store);
    await store.close();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3"]);
  });

  test("begins a new file with a reset, and goes on with the old one's late entries", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await fillStore(store);
    const reset = { sessionId: "ada-2", file: "ada-2.jsonl", expectRevision: 1 };
    await store.commit(buildWriteSession("w2", reset));
    await store.projectNow();
    await store.commit({ ...buildAppend("e4"), sessionId: "ada-2" });
    await store.commit(buildAppend("late"));
    await store.projectNow();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3", "late"]);
    expect(readLines(stateDir, "ada-2.jsonl")).toEqual(["e4"]);
  });

  test("keeps a session in the folder of its agent, whatever its key says, under the name that the caller gives", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, agentDirOf: (agentId) => (agentId === "con" ? "con+" : agentId) });
    await store.commit(
      buildWriteSession("w1", { key: "global", agentId: "con", sessionId: "g", file: "global.jsonl" }),
    );
    await store.commit({ step: "append_entries", sessionKey: "global", sessionId: "g", entries: buildEntries("e1") });
    await store.projectNow();
    expect(readLines(stateDir, "global.jsonl", "con+")).toEqual(["e1"]);
    expect(readSessions(stateDir, "con+")).toEqual({ global: {} });

    await store.commit(buildWriteSession("w2", { key: "global", agentId: "two", sessionId: "g2", expectRevision: 1 }));
    await store.projectNow();
    expect(readSessions(stateDir, "con+")).toEqual({});
    expect(readSessions(stateDir, "two")).toEqual({ global: {} });
  });

  test("shows a session that moved under its new key only, and goes on in the same file", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await fillStore(store);
    await store.projectNow();
    const audit = { actor: "operator", action: "rekey", detail: "" };
    const move = { from: adaKey, to: "agent:main:main", expectRevision: 1, body: '{"label":"Ada"}' };
    expect(await store.commit({ step: "rekey", move, sessionId: "ada-1", audit })).toEqual({ status: "done" });
    await store.commit({ ...buildAppend("e4"), sessionKey: move.to });
    await store.projectNow();
    expect(readSessions(stateDir)).toEqual({ "agent:main:main": { label: "Ada" } });
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3", "e4"]);

    const again = { ...move, from: move.to, to: "agent:main:test:group:new", expectRevision: 2 };
    const chat = { channel: "test", fromChat: "old", toChat: "new" };
    await store.commit({ step: "migrate_chat", move: chat, addresses: [], sessions: [again], audit });
    await store.close();
    expect(readSessions(stateDir)).toEqual({ "agent:main:test:group:new": { label: "Ada" } });
    const next = await openTestStore({ stateDir });
    await next.commit({ ...buildAppend("e5"), sessionKey: again.to });
    await next.projectNow();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3", "e4", "e5"]);
    expect(readdirSync(join(stateDir, "agents", "main", "sessions"))).toEqual(["ada-1.jsonl"]);
  });

  test("never leaves its folder, whatever a row says", async () => {
    const stateDir = join(createTemporaryFolder(), "state");
    const store = await openTestStore({ stateDir });
    await store.commit(buildWriteSession("w1", { file: "../../../../outside.jsonl" }));
    await store.commit(buildWriteSession("w2", { key: "other", sessionId: "o", agentId: "../..", file: "o.jsonl" }));
    await store.commit(buildAppend("e1"));
    await store.commit({ ...buildAppend("e2"), sessionKey: "other", sessionId: "o" });
    await store.projectNow();
    expect(readdirSync(join(stateDir, ".."))).toEqual(["state"]);
    expect(readdirSync(join(stateDir, "agents"))).toEqual(["main"]);
  });

  test("is left out on request", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, readable: false });
    await fillStore(store);
    await store.close();
    expect(existsSync(join(stateDir, "agents"))).toBe(false);
  });

  test("can be written elsewhere from a store at rest", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, readable: false });
    await fillStore(store);
    await store.close();
    const targetDir = createTemporaryFolder();
    await exportReadableLayout({ stateDir, targetDir });
    expect(readLines(targetDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3"]);
    expect(readSessions(targetDir)).toHaveProperty([adaKey, "label"], "Ada");
  });
});
