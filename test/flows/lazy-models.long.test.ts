import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createModelEmulator } from "@banyan/emulator-model";
import { expect, onTestFinished, test } from "vitest";
import { runBanyan } from "../stage/command-line.ts";
import { makeGroveFolder } from "../stage/grove.ts";

const PROGRAM = new URL("../../packages/cli/src/bin-from-source.js", import.meta.url).pathname;
const LISTER = new URL("../stage/list-loaded-modules.js", import.meta.url).href;
/** The models' library and all that stands on it. */
const OF_MODELS = /node_modules\/(?:ai|@ai-sdk)\/|runtime-ai\//u;

/** The protocols with foreign agents. */
const OF_FOREIGN_AGENTS = /node_modules\/@(?:agentclientprotocol|modelcontextprotocol)\/|(?:runtime-acp|mcp-tools)\//u;

test("a gateway without a model loads nothing of the models' library, nor of the protocols with foreign agents, also not for an answer", async () => {
  const loaded = await talkAndListModules({}, /program, not a language model/u);
  expect(loaded.some((url) => url.includes("runtime-demo"))).toBe(true);
  expect(loaded.filter((url) => OF_MODELS.test(url) || OF_FOREIGN_AGENTS.test(url))).toEqual([]);
});

test("a gateway with a model loads it with the first answer", async () => {
  const server = await createModelEmulator();
  onTestFinished(() => server.close());
  const loaded = await talkAndListModules({ OPENAI_BASE_URL: server.url }, /You said: help/u);
  expect(loaded.some((url) => OF_MODELS.test(url))).toBe(true);
});

/** Starts the program, talks with its agent once and stops it; resolves with the addresses of what it loaded. */
async function talkAndListModules(env: Readonly<Record<string, string>>, answer: RegExp): Promise<readonly string[]> {
  const folder = makeGroveFolder();
  const list = join(folder, "modules.txt");
  writeFileSync(list, "");
  const program = spawn(process.execPath, ["--import", LISTER, PROGRAM, "start"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, BANYAN_TEST_MODULES: list, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(program, "exit");
  onTestFinished(() => void program.kill("SIGKILL"));
  for await (const line of createInterface({ input: program.stdout })) if (line.includes("Ready in")) break;
  expect(await runBanyan(folder, "chat", "help")).toMatch(answer);
  program.kill("SIGTERM");
  await exited;
  return readFileSync(list, "utf8").split("\n");
}
