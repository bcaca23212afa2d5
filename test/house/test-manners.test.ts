import { expect, test } from "vitest";
import { blankComments, findPlaces, isProduct, readSources } from "./source-file.ts";

/** Waiting for time instead of for an event. Each exception says what it waits for that sends no event. */
const SLEEP =
  /\b(setTimeout|setInterval|Atomics\.wait|sleep)\(|\bset(Timeout|Interval)\b.*["']node:timers\/promises["']/g;
const MAY_SLEEP: Readonly<Record<string, string>> = {
  "plugins/discord/test/test-clock.ts": "is a clock: what waits on it can be rung at once",
  "packages/runtime-acp/test/desk/system-clock.ts": "is a clock, for what waits on a process",
  "test/crash/run.ts": "a process stands still for half a minute, in `pnpm crash` alone",
  "test/crash/gateway-lives.ts": "how far another process is sends no event",
  "test/crash/kill-plan.ts": "a process waits for the signal that kills it",
  "test/stage/web-person.ts": "limits how long an event is waited for",
};

/** Two tests of one file at a time: with two workers that would be four stories at a time, each with its processes. */
const CONCURRENT = /\b(it|test|describe)\.concurrent\b/g;
const MAY_BE_CONCURRENT: Readonly<Record<string, string>> = {
  "packages/store-sqlite/test/conformance.test.ts": "waits for its disk, and starts no process",
  "packages/store-sqlite/test/conformance.long.test.ts": "waits for its disk, and starts no process",
};

const MODULE_MOCK = /\bvi\.(mock|doMock|hoisted|importActual)\(/g;

/** Tests that some machines cannot run. Each says what those lack. */
const CONDITIONAL = /\b(it|test|describe)\.(skipIf|runIf|todo|fails|skip|only)\b/g;
/** One whose title does not end as `… (only where not root)`. */
const UNEXPLAINED = /\b(skipIf|runIf)\((?:[^()]|\([^()]*\))*\)\((?!\s*"[^"]*\(only [^"]*\)")/g;
const MAY_BE_CONDITIONAL: Readonly<Record<string, string>> = {
  "packages/emulator-telegram/test/bot-api-spec.test.ts": "the platform's specification is not part of the repository",
  "packages/emulator-discord/test/openapi-spec.test.ts": "the platform's specification is not part of the repository",
  "plugins/telegram/test/bot-api-request.test.ts": "the platform's specification is not part of the repository",
  "packages/runtime-acp/test/agents/claude.test.ts": "Claude's agent is not part of the repository",
  "packages/runtime-acp/test/agents/opencode.test.ts": "opencode is not part of the repository",
  "packages/runtime-acp/test/agents/opencode-contract.test.ts": "opencode is not part of the repository",
  "packages/runtime-acp/test/agents/opencode-resume.test.ts": "opencode is not part of the repository",
  "packages/core/test/tools/files/list-files.test.ts": "root may read every directory",
  "packages/store-sqlite/test/open-sqlite-store.long.test.ts": "root may write to every directory",
};

/** Benches measure time, and the house tests spell out what they forbid. */
const NOT_MEANT = /(^|\/)bench\/|^test\/house\//;

const tests = readSources().filter((file) => !isProduct(file) && !NOT_MEANT.test(file.path));

test("there are tests to look at", () => {
  expect(tests.length).toBeGreaterThan(0);
});

test.each([
  ["sleeps", SLEEP, MAY_SLEEP],
  ["replaces a module", MODULE_MOCK, {}],
  ["runs at the same time as another one of its file", CONCURRENT, MAY_BE_CONCURRENT],
  ["is left out on some machines", CONDITIONAL, MAY_BE_CONDITIONAL],
])("no test %s", (_, pattern, exceptions) => {
  const offenders = tests
    .filter(({ path }) => !(path in exceptions))
    .flatMap((file) => findPlaces(file.path, blankComments(file), pattern));
  expect(offenders).toEqual([]);
});

test("a test that is left out on some machines says in its title why", () => {
  const silent = tests
    .filter(({ path }) => path in MAY_BE_CONDITIONAL)
    .flatMap((file) => findPlaces(file.path, blankComments(file), UNEXPLAINED));
  expect(silent).toEqual([]);
});

test("an exception that is no longer needed is taken off the list", () => {
  const gone = Object.entries({ ...MAY_SLEEP, ...MAY_BE_CONCURRENT, ...MAY_BE_CONDITIONAL }).filter(
    ([path]) => !tests.some((file) => file.path === path),
  );
  expect(gone).toEqual([]);
});
