import { expect, it } from "vitest";
import { createLog, type LogOptions } from "../../src/ports/pino-log.ts";
import { createSecretScrubber } from "../../src/ports/secret-scrubber.ts";

function open(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const scrubber = createSecretScrubber(["s3cret-token", 'quo"ted\nsecret']);
  const log = createLog({ level: "debug", pretty: false, scrubber, write: (line) => lines.push(line), ...options });
  return { log, lines };
}

it("writes one JSON line per entry, fields and message", () => {
  const { log, lines } = open();
  log.info({ account: "irc/default" }, "an account runs again");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 30, account: "irc/default", msg: "an account runs again" });
});

it.each([false, true])("masks a secret wherever it hides (pretty: %j)", (pretty) => {
  const { log, lines } = open({ pretty });
  const error = new Error("calling https://host/bots3cret-token/send", { cause: new Error("s3cret-token") });
  log.error({ err: error, deep: { list: ["s3cret-token"] }, "s3cret-token": 1 }, "s3cret-token failed");
  log.warn({ text: 'quo"ted\nsecret' }, "another");
  const all = lines.join("\n");
  expect(lines).toHaveLength(2);
  expect(all).toContain("[secret]");
  expect(all).not.toMatch(/s3cret|quo/);
});

it("writes a readable line: time, level, message, fields", () => {
  const { log, lines } = open({ pretty: true });
  log.warn({ account: "irc/default", retryInMs: 5, err: new Error("no luck") }, "an account is retrying");
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d {2}warn {2}an account is retrying {2}account=irc\/default {2}retryInMs=5 {2}err=no luck$/,
  );
});

it("does not fail when a secret looks like a part of the time", () => {
  const scrubber = createSecretScrubber([String(Date.now()).slice(0, 6)]);
  const { log, lines } = open({ pretty: true, scrubber });
  log.info({}, "still here");
  expect(lines[0]).toContain("still here");
});

it.each([
  ["debug", 4],
  ["info", 3],
  ["warn", 2],
  ["error", 1],
  ["silent", 0],
] as const)("at level %s writes %i of four entries", (level, count) => {
  const { log, lines } = open({ level });
  log.debug({}, "a");
  log.info({}, "b");
  log.warn({}, "c");
  log.error({}, "d");
  expect(lines).toHaveLength(count);
});
