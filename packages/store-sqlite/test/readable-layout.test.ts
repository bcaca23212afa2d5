import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportReadableLayout, type SqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildEntries, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

function readLines(stateDir: string, file: string, agent = "main"): unknown[] {
  const text = readFileSync(join(stateDir, "agents", agent, "sessions", file), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);
}

function readSessions(stateDir: string, agent = "main"): unknown {
  return JSON.parse(readFileSync(join(stateDir, "agents", agent, "sessions.json"), "utf8"));
}

/** Ada's session with three entries. */
async function fillStore(store: SqliteStore): Promise<void> {
  await store.commit(buildWriteSession("w1", { body: '{"sessionId":"ada-1","label":"Ada"}' }));
  await store.commit(buildAppend("e1", "e2"));
  await store.commit(buildAppend("e3"));
}

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

describe("after a crash or damage the layout is whole again", () => {
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ["a torn last line", (file) => truncateSync(file, readFileSync(file).length - 9)],
    ["a missing last line", (file) => truncateSync(file, readFileSync(file).lastIndexOf('{"seq":3'))],
    ["a file that was emptied", (file) => truncateSync(file)],
    ["a file that was removed", (file) => rmSync(file)],
    ["garbage at the end", (file) => writeFileSync(file, "\0\0\0\0{}\nxx", { flag: "a" })],
  ];

  test.each(damages)("%s", async (_, damage) => {
    const stateDir = createTemporaryFolder();
    const first = await openTestStore({ stateDir });
    await fillStore(first);
    await first.close();
    damage(join(stateDir, "agents", "main", "sessions", "ada-1.jsonl"));
    const second = await openTestStore({ stateDir });
    await second.commit(buildAppend("e4"));
    await second.projectNow();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3", "e4"]);
  });

  test("a missing sessions.json and a missing watermark", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openTestStore({ stateDir });
    await fillStore(first);
    await first.close();
    rmSync(join(stateDir, "agents", "main", "sessions.json"));
    rmSync(join(stateDir, "readable.json"));
    const second = await openTestStore({ stateDir });
    await second.projectNow();
    expect(readSessions(stateDir)).toHaveProperty([adaKey, "label"], "Ada");
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3"]);
  });

  test("a watermark of another database", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openTestStore({ stateDir, readable: false });
    await fillStore(first);
    await first.close();
    writeFileSync(join(stateDir, "readable.json"), '{"storeId":"another","pos":3}');
    const folder = join(stateDir, "agents", "main", "sessions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "ada-1.jsonl"), '{"seq":1,"id":"of another life"}\n{"seq":3,"id":"e3"}\n');
    const second = await openTestStore({ stateDir });
    await second.projectNow();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3"]);
  });

  test.each([
    "jsonl.append.q1",
    "jsonl.append.q2",
    "jsonl.append.q3",
    "jsonl.append.q4",
    "sessions_json.rename.before",
    "sessions_json.rename.after",
  ])("killed at %s: the store goes on, and the next start writes what is missing", async (name) => {
    const stateDir = createTemporaryFolder();
    const calm = await openTestStore({ stateDir });
    await fillStore(calm);
    await calm.close();

    const module = join(stateDir, "fault-point.mjs");
    const body = `if (name === "${name}" && (count += 1) === 2) throw new Error("killed")`;
    writeFileSync(module, `let count = 0; export default (name) => { ${body}; };`);
    const killed = await openTestStore({ stateDir, faultPointModule: pathToFileURL(module).href });
    await killed.projectNow();
    await killed.commit(buildAppend("e4", "e5"));
    await killed.commit(buildWriteSession("w2", { expectRevision: 1, body: '{"label":"Grace"}' }));
    await killed.projectNow();
    expect(await killed.commit(buildAppend("e6"))).toEqual({ status: "done" });
    expect(() => readSessions(stateDir)).not.toThrow();
    await killed.close();

    const next = await openTestStore({ stateDir });
    await next.projectNow();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3", "e4", "e5", "e6"]);
    expect(readSessions(stateDir)).toEqual({ [adaKey]: { label: "Grace" } });
  });

  test("a file that cannot be written holds up no other, and is mended when it can be", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    const path = join(stateDir, "agents", "main", "sessions", "ada-1.jsonl");
    mkdirSync(path, { recursive: true });
    await fillStore(store);
    await store.commit(buildWriteSession("w2", { key: "other", sessionId: "o", file: "o.jsonl" }));
    await store.commit({ ...buildAppend("o1"), sessionKey: "other", sessionId: "o" });
    await store.projectNow();
    expect(readLines(stateDir, "o.jsonl")).toEqual(["o1"]);
    rmSync(path, { recursive: true });
    await store.projectNow();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3"]);
  });

  test("a file that was removed while the store runs is written anew with its next entry", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await fillStore(store);
    await store.projectNow();
    rmSync(join(stateDir, "agents", "main", "sessions", "ada-1.jsonl"));
    await store.commit(buildAppend("e4"));
    await store.projectNow();
    expect(readLines(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2", "e3", "e4"]);
  });
});
