import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, REPOSITORY } from "../house/repository.ts";
import { readManifest } from "../house/workspace-package.ts";
import { findCommandFault, findMentionFault } from "./command-fault.ts";
import { findBanyanWords, listDocumentedCommands, listMentions, listTypedSpans } from "./documented-command.ts";

/** They run commands as the documents write them. */
const RUNS = /^test\/flows\/documented-[\w.-]+\.test\.ts$/;
const FEWEST = 80;
/** What pnpm does by itself. */
const PNPM_COMMANDS: readonly string[] = ["install", "banyan"];

const EVERY_CHANGE = "`.ci/run` runs it for every change";
const CURL = "needs curl; `plugins/webchat/test/messages.test.ts` sends the same requests";
const MEASURES = "measures, for which it needs the machine for itself";
const PERF = "needs the program perf and the rights to use it";
const PLACEHOLDER = "stands for any command: it names none";
const FOREIGN = "installs a program of another maker from the network";

/** What no test runs as it is written, with the reason, or with the test that does the same. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "banyan init": "asks on a terminal; `packages/cli/test/init/ask-setup.test.ts` types the answers",
  "banyan chat": "talks on a terminal; `packages/cli/test/chat/chat-at-terminal.long.test.ts` types the messages",
  "npx -y pnpm@12 banyan chat": "the same",
  "banyan sessions delete telegram:dm:75":
    "asks on a terminal; `packages/cli/test/commands/sessions-delete.test.ts` answers it",
  "npx -y pnpm@12 install": EVERY_CHANGE,
  "npx -y pnpm@12 check": EVERY_CHANGE,
  "npx -y pnpm@12 test": EVERY_CHANGE,
  "npx -y pnpm@12 test packages/core/test": "a part of `npx -y pnpm@12 test`",
  "npx -y pnpm@12 test:long test/crash/tree": "a test cannot run itself; it is run before each release",
  "npx -y pnpm@12 simulate --seeds 1000": "`test/simulation/simulation.long.test.ts` plays five times as many worlds",
  "npx -y pnpm@12 crash": "takes hours; `test/crash/crash.long.test.ts` tells each kind of its stories",
  "npx -y pnpm@12 bench --only start": MEASURES,
  "npx -y pnpm@12 bench": MEASURES,
  'BANYAN_BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=profiles" npx -y pnpm@12 bench --only echo --pairs 1': MEASURES,
  "node packages/store-sqlite/bench/steps.ts 40000 1000 no": MEASURES,
  "npx -y pnpm@12 simulate --bar": "measures; `test/simulation/range-report.test.ts` checks what it says of the bar",
  "perf record node packages/store-sqlite/bench/steps.ts 60000 1000 no": PERF,
  "perf report --sort comm,symbol": PERF,
  "npx -y pnpm@12 build": EVERY_CHANGE,
  "npx -y pnpm@12 test:long": "a test cannot run itself; it is run before each release",
  "npx -y pnpm@12 site": "runs until it is ended; `test/site/site-server.test.ts` serves a site in the same way",
  "pnpm docs:write": "changes the pages; `test/docs/generated-parts.test.ts` compares them with what it would write",
  "npx -y pnpm@12 banyan …": PLACEHOLDER,
  "npx -y pnpm@12 banyan pair approve <code>":
    "has a placeholder; `test/flows/documented-operation.long.test.ts` approves the code of a person",
  "npm test": "an example of what an agent may run, not for the reader to type",
  "npm install banyan": "asks the registry of npm; `test/package/packed.long.test.ts` installs from one of its own",
  "npm install --prefix ../opencode opencode-ai": FOREIGN,
  "BANYAN_TEST_OPENCODE=../opencode/node_modules/.bin/opencode npx -y pnpm@12 test packages/runtime-acp/test/agents":
    FOREIGN,
  "npm install --prefix ../claude-agent @agentclientprotocol/claude-agent-acp": FOREIGN,
  "BANYAN_TEST_CLAUDE=../claude-agent/node_modules/.bin/claude-agent-acp npx -y pnpm@12 test packages/runtime-acp/test/agents/claude.test.ts":
    FOREIGN,
  "TOKEN=$(cat .banyan/token)": CURL,
  'curl -H "Authorization: Bearer $TOKEN" -d \'{"text": "calc (2+3)*4", "id": "m1"}\' http://127.0.0.1:8787/api/webchat/messages':
    CURL,
  "curl -H \"Authorization: Bearer $TOKEN\" 'http://127.0.0.1:8787/api/webchat/messages?after=m1'": CURL,
  "curl -N -H \"Authorization: Bearer $TOKEN\" 'http://127.0.0.1:8787/api/webchat/events'": CURL,
  "ssh -L 8787:127.0.0.1:8787 grove.example.org": "needs a second machine",
};

const spans = listTypedSpans();
const blocks = listDocumentedCommands();
const commands = [...blocks, ...spans];
const runs = listFiles("test/flows").filter((path) => RUNS.test(path));
const code = runs.map((path) => readFileSync(join(REPOSITORY, path), "utf8")).join("\n");

test(`the documents have at least ${FEWEST} commands`, () => {
  expect(commands.length).toBeGreaterThanOrEqual(FEWEST);
  expect(runs.length).toBeGreaterThan(0);
});

test("each command is run by a test as it is written, or is listed with the reason why not", () => {
  const isRun = (text: string) => code.includes(JSON.stringify(text)) || code.includes(`'${text}'`);
  expect(commands.filter(({ text }) => !isRun(text) && !(text in NOT_RUN))).toEqual([]);
  expect(Object.keys(NOT_RUN).filter(isRun)).toEqual([]);
});

test("what is listed is in the documents, and each test that a reason names exists", () => {
  const texts = new Set(commands.map(({ text }) => text));
  expect(Object.keys(NOT_RUN).filter((text) => !texts.has(text))).toEqual([]);
  const named = Object.values(NOT_RUN).flatMap((reason) =>
    [...reason.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(join(REPOSITORY, path)))).toEqual([]);
});

test("`banyan` has each command and option of the blocks", () => {
  const faults = blocks.flatMap(({ page, text }) => {
    const words = findBanyanWords(text);
    const fault = words === undefined ? undefined : findCommandFault(words);
    return fault === undefined ? [] : [`${page}: ${text}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test("`banyan` has each command and option that a sentence names", () => {
  const mentions = listMentions();
  expect(mentions.length).toBeGreaterThan(FEWEST);
  const faults = [...mentions, ...spans].flatMap(({ page, text }) => {
    const words = findBanyanWords(text);
    const isPlaceholder = words === undefined || words[0] === "…";
    const fault = isPlaceholder ? undefined : findMentionFault(words);
    return fault === undefined ? [] : [`${page}: ${text}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test("commands of other programs are found in the sentences", () => {
  expect(spans).toContainEqual({ page: "README.md", text: "npx -y pnpm@12 site" });
  expect(spans).toContainEqual({ page: "docs/performance.md", text: "perf report --sort comm,symbol" });
  expect(spans.filter(({ text }) => text.startsWith("BANYAN_BENCH_NODE_OPTIONS="))).toHaveLength(1);
});

test("pnpm has each script that the documents name", () => {
  const { scripts } = readManifest(".");
  const named = commands.flatMap(({ text }) =>
    [...text.matchAll(/\bpnpm(?:@\d+)? ([\w:-]+)/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !(name in scripts) && !PNPM_COMMANDS.includes(name))).toEqual([]);
});

test.each([
  ["a command", ["strat"], "unknown command 'strat'"],
  ["a command below another one", ["runs", "shwo"], "unknown command 'shwo'"],
  ["an option", ["status", "--jsno"], "unknown option '--jsno'"],
  ["an option with a value that it does not take", ["outbox", "list", "--state", "lost"], "--state"],
  ["a value too few", ["runs", "show"], "missing argument 'run'"],
  ["a value too many", ["runs", "show", "last", "first"], "too many arguments"],
])("%s that does not exist is found", (_, words, fault) => {
  expect(findCommandFault(words)).toContain(fault);
});

test.each([
  ["a command", ["runs", "shwo"], "unknown command 'shwo'"],
  ["an option", ["outbox", "retry", "--al"], "unknown option '--al'"],
])("%s that a sentence names and that does not exist is found", (_, words, fault) => {
  expect(findMentionFault(words)).toBe(fault);
});
