import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { fillStore, readLines, readSessions } from "./readable-folder.ts";
import { adaKey, buildAppend, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

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

  test("garbage at the end is cut although nothing new is written", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openTestStore({ stateDir });
    await fillStore(first);
    await first.close();
    const file = join(stateDir, "agents", "main", "sessions", "ada-1.jsonl");
    const whole = readFileSync(file, "utf8");
    appendFileSync(file, "\0\0\0\0{}\nxx");
    const second = await openTestStore({ stateDir });
    await second.projectNow();
    expect(readFileSync(file, "utf8")).toBe(whole);
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
