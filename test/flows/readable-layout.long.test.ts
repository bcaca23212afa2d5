import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSessionStore, resolveSessionTranscriptFile } from "@banyan/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { runBanyan } from "../stage/command-line.ts";
import { type Grove, openGrove } from "../stage/grove.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const ECHO = { agents: { main: { runtime: "echo" } } };
const KEY = "agent:main:telegram:dm:7";
const Line = z.looseObject({
  seq: z.number(),
  role: z.string(),
  content: z.array(z.looseObject({ text: z.string() })),
});

/** A grove in which Ada has talked, and which rests. */
async function openTalked(): Promise<{ grove: Grove; path: string }> {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, config: ECHO });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  for (const word of ["one", "two", "/new", "three"]) {
    await ada.says(word);
    await ada.hears(word === "/new" ? /^A new/ : word);
  }
  await grove.stop();
  return { grove, path: join(grove.stateDir, "agents", "main") };
}

function readSaid(file: string): readonly string[] {
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines.pop()).toBe("");
  const entries = lines.map((line) => Line.parse(JSON.parse(line)));
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  return entries.map(({ role, content }) => `${role}: ${content.map(({ text }) => text).join()}`);
}

/** Every file of the layout, by name. */
function readFiles(path: string): Readonly<Record<string, string>> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]));
}

test("after a conversation the files hold what was said, the old conversation and the new one apart", async () => {
  const { grove, path } = await openTalked();
  const { [KEY]: session } = await loadSessionStore(join(path, "sessions.json"), { skipCache: true });
  expect(session).toMatchObject({ userId: "telegram:7", channel: "telegram", messageCount: 2 });
  const { sessionId = "", sessionFile = "" } = session ?? {};
  const file = resolveSessionTranscriptFile({ stateDir: grove.stateDir, sessionKey: KEY, sessionId });
  expect(file).toBe(join(path, "sessions", sessionFile));
  expect(readSaid(file)).toEqual(["user: three", "assistant: three"]);
  const old = readdirSync(join(path, "sessions")).filter((name) => name !== sessionFile);
  expect(old).toHaveLength(1);
  expect(readSaid(join(path, "sessions", old[0] ?? ""))).toEqual([
    "user: one",
    "assistant: one",
    "user: two",
    "assistant: two",
    "system: manual",
  ]);
});

test("the lines are the stored entries, byte for byte", async () => {
  const { grove, path } = await openTalked();
  const { bodies, file } = await grove.read(async (read) => {
    const session = await read.session(KEY);
    const rows = await read.entries({ sessionId: session?.sessionId ?? "", limit: 100 });
    return { bodies: rows.map(({ body }) => body), file: session?.file ?? "" };
  });
  expect(bodies).toHaveLength(2);
  expect(readFileSync(join(path, "sessions", file), "utf8")).toBe(`${bodies.join("\n")}\n`);
});

test("banyan sessions export gives the same lines, with and without a running gateway", async () => {
  const { grove, path } = await openTalked();
  const file = await grove.read(async (read) => (await read.session(KEY))?.file ?? "");
  const lines = readFileSync(join(path, "sessions", file), "utf8");
  expect(await runBanyan(grove.folder, "sessions", "export", KEY)).toBe(lines);
  await grove.restart();
  expect(await runBanyan(grove.folder, "sessions", "export", KEY)).toBe(lines);
});

test.each<{ what: string; harm: (path: string) => void }>([
  { what: "removed", harm: (path) => rmSync(path, { recursive: true }) },
  {
    what: "torn in the middle of a line",
    harm: (path) => eachTranscript(path, (file) => truncateSync(file, readFileSync(file).length - 10)),
  },
  { what: "emptied", harm: (path) => eachTranscript(path, (file) => writeFileSync(file, "")) },
  { what: "followed by garbage", harm: (path) => eachTranscript(path, (file) => appendFileSync(file, '{"half":')) },
  {
    what: "written over",
    harm: (path) => eachTranscript(path, (file) => writeFileSync(file, "not mine\n".repeat(50))),
  },
  { what: "cut in sessions.json", harm: (path) => truncateSync(join(path, "sessions.json"), 20) },
])("files that were $what stand again after the next start, as they were", async ({ harm }) => {
  const { grove, path } = await openTalked();
  const before = readFiles(path);
  expect(Object.keys(before)).toHaveLength(3);
  harm(path);
  await grove.restart();
  await grove.stop();
  expect(readFiles(path)).toEqual(before);
});

function eachTranscript(path: string, harm: (file: string) => void): void {
  for (const name of readdirSync(join(path, "sessions"))) harm(join(path, "sessions", name));
}

test("without the readable layout the conversation works and no file is written, and it can be had later", async () => {
  const grove = await openGrove({ config: { ...ECHO, store: { readable: false } } });
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears("hello");
  await grove.stop();
  expect(() => readdirSync(join(grove.stateDir, "agents"))).toThrow("ENOENT");
  await grove.restart({ config: ECHO });
  await grove.stop();
  const sessions = join(grove.stateDir, "agents", "main", "sessions");
  expect(readdirSync(sessions).map((name) => readSaid(join(sessions, name)))).toEqual([
    ["user: hello", "assistant: hello"],
  ]);
});
