import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { examine, writeConfig } from "../doctor/examination.ts";
import { makeFolder, runBanyan, stateDirOf } from "./banyan-process.ts";

const TOKEN = "7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s";

test("a fresh folder is well, and says so", async () => {
  const folder = makeFolder();
  const { code, stdout } = await runBanyan(folder, ["doctor"]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/✓ configuration .*\n[\s\S]*\n {2}All is well\.\n$/)]);
});

test("a configuration that cannot be read is an error with its cure, and nothing else is looked at", async () => {
  const folder = makeFolder();
  writeConfig(folder, { chanels: {} });
  const { code, report } = await examine(folder);
  expect([code, report.ok, report.findings.length]).toEqual([1, false, 1]);
  expect(report.findings[0]).toMatchObject({ subject: "configuration", level: "error" });
  expect(`${report.findings[0]?.text} ${report.findings[0]?.cure}`).toContain("channels");
});

const POLICIES = "pairing, allowlist, open or disabled";

test("each problem of the configuration, of its form and of its meaning, is a finding that says what to write", async () => {
  const folder = makeFolder();
  const telegram = { accounts: { default: { dmPolicy: "opne", allowFrom: ["@ada"] } } };
  writeConfig(folder, { channels: { telegram } });
  const { code, report } = await examine(folder);
  expect(code).toBe(1);
  const place = "channels.telegram.accounts.default";
  expect(report.findings).toMatchObject([
    {
      subject: "configuration",
      level: "error",
      text: expect.stringContaining(`${place}.dmPolicy: Must be ${POLICIES}`),
    },
    { subject: "configuration", level: "error", text: expect.stringContaining(`${place}.allowFrom[0]: A user name`) },
  ]);
  expect(report.findings.map(({ cure }) => cure)).toEqual([
    undefined,
    expect.stringContaining("write the platform's own id"),
  ]);
});

test("a damaged database, a taken port, a folder for all eyes", async () => {
  const folder = makeFolder();
  mkdirSync(stateDirOf(folder));
  chmodSync(stateDirOf(folder), 0o755);
  writeFileSync(
    join(stateDirOf(folder), "banyan.db"),
    "no database at all, and long enough to be read as one".repeat(99),
  );
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { code, level } = await examine(folder, { BANYAN_PORT: String(port) });
  expect(code).toBe(1);
  expect(level("database")).toMatchObject([{ level: "error", cure: expect.stringContaining("there is no backup in") }]);
  expect(level("port")).toMatchObject([{ level: "error", cure: expect.stringContaining("BANYAN_PORT") }]);
  expect(level("state directory")).toMatchObject([{ level: "warning", cure: expect.stringContaining("chmod 700") }]);
});

test("beside a running gateway: its port is its own, its account is asked about, and its poller is left alone", async () => {
  const folder = makeFolder();
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  const env = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_BASE_URL: telegram.url };
  const open = await openGateway({
    cwd: folder,
    env: { ...env, BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0" },
    writeLog: () => undefined,
  });
  onTestFinished(() => open.gateway.stop());
  const { code, level, report } = await examine(folder, env);
  expect(code).toBe(0);
  expect(level("port")).toMatchObject([{ text: expect.stringContaining(open.gateway.url) }]);
  expect(level("telegram/default")).toMatchObject([{ level: "ok", text: expect.stringContaining("@grove_bot") }]);
  expect(level("clock")).toMatchObject([{ level: "ok" }]);
  await (await telegram.user({ id: 7550356539, firstName: "Ada" })).says("are you there?");
  await telegram.called("getUpdates");
  const polls = await telegram.record({ method: "getUpdates" });
  expect(polls.map(({ params }) => params.limit)).toEqual(polls.map(() => 100));
  expect(JSON.stringify(report)).not.toContain("CANARY");
});

test("T43: a bot that is to answer all of a group and does not hear it: doctor and start say how to cure it", async () => {
  const folder = makeFolder();
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  const groups = { policy: "open", requireMention: false };
  writeConfig(folder, { channels: { telegram: { accounts: { default: { groups } } } } });
  const env = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_BASE_URL: telegram.url };
  const cure = expect.stringContaining(
    "switch privacy off at @BotFather (/setprivacy) and add the bot to the group again",
  );
  const lines: string[] = [];
  const open = await openGateway({
    cwd: folder,
    env: { ...env, BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0" },
    writeLog: (line) => void lines.push(line),
  });
  onTestFinished(() => open.gateway.stop());
  const warned = lines.filter((line) => line.includes("privacy mode")).map((line): unknown => JSON.parse(line));
  expect(warned).toMatchObject([{ level: 40, msg: cure }]);
  const { code, level } = await examine(folder, env);
  expect(code).toBe(0);
  expect(level("telegram/default")).toMatchObject([
    { level: "ok", text: "@grove_bot" },
    { level: "warning", cure },
  ]);
});

test("a refused token is an error that names the cure", async () => {
  const folder = makeFolder();
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  const { code, level } = await examine(folder, { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_BASE_URL: telegram.url });
  expect(code).toBe(1);
  expect(level("telegram/default")).toMatchObject([{ level: "error", cure: expect.stringContaining("@BotFather") }]);
});

test("a link that would show one person what another wrote is an error with the line that cures it, which works", async () => {
  const folder = makeFolder();
  writeConfig(folder, { session: { identityLinks: { alice: ["webchat:operator"] } } });
  expect((await runBanyan(folder, ["chat", "calc", "6*7"])).code).toBe(0);
  writeConfig(folder, { session: { identityLinks: { alice: ["telegram:7"] } } });
  const { code, level } = await examine(folder);
  expect(code).toBe(1);
  const [, error] = level("people");
  expect(error).toMatchObject({ level: "error", text: expect.stringContaining("webchat:operator") });
  const [, from = "", to = ""] = /banyan sessions rekey (\S+) (\S+)/.exec(error?.cure ?? "") ?? [];
  expect((await runBanyan(folder, ["sessions", "rekey", from, to, "--accept-shared"])).stderr).toBe("");
  expect((await examine(folder)).level("people")).toMatchObject([{ level: "ok" }]);
});

test("who asks to be let in is counted", async () => {
  const folder = makeFolder();
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  const env = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_BASE_URL: telegram.url };
  const eve = await telegram.user({ id: 9, firstName: "Eve" });
  const open = await openGateway({
    cwd: folder,
    env: { ...env, BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0" },
    writeLog: () => undefined,
  });
  onTestFinished(() => open.gateway.stop());
  await eve.says("hello");
  await eve.hears(/Your code is/);
  const { level } = await examine(folder, env);
  expect(level("people")).toMatchObject([{ level: "ok", text: expect.stringContaining("1 asking: banyan pair list") }]);
});

test.each([
  ["several people under scope main", { allowFrom: ["11", "22"] }],
  ["everybody under scope main", { dmPolicy: "open" }],
])("what a start refuses is an error here: %s", async (_name, account) => {
  const folder = makeFolder();
  const token = { token: TOKEN, apiBaseUrl: "http://127.0.0.1:9" };
  const channels = { telegram: { accounts: { default: { ...token, ...account } } } };
  writeConfig(folder, { session: { dmScope: "main" }, channels });
  const start = await runBanyan(folder, ["start"]);
  const { code, level } = await examine(folder);
  expect([start.code, code]).toEqual([1, 1]);
  expect(level("people")).toContainEqual(
    expect.objectContaining({ level: "error", text: expect.stringContaining("main is one conversation") }),
  );
});
