import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { makeFolder, runBanyan, stateDirOf } from "./banyan-process.ts";

const TOKEN = "7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s";

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { subject: string; level: string; text: string; cure?: string }[];
  readonly orphaned: readonly { key: string; target?: string }[];
}

async function examine(folder: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runBanyan(folder, ["doctor", "--json"], { env });
  expect(stderr).toBe("");
  const report: Report = JSON.parse(stdout);
  const level = (subject: string) => report.findings.filter((one) => one.subject === subject);
  return { code, report, level };
}

function writeConfig(folder: string, config: object): void {
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
}

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
  expect(level("database")).toMatchObject([{ level: "error", cure: expect.stringContaining("backups") }]);
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

test("a refused token is an error that names the cure", async () => {
  const folder = makeFolder();
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  const { code, level } = await examine(folder, { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_BASE_URL: telegram.url });
  expect(code).toBe(1);
  expect(level("telegram/default")).toMatchObject([{ level: "error", cure: expect.stringContaining("@BotFather") }]);
});

test("sessions that a change of scope has orphaned are named with the command that brings them back", async () => {
  const folder = makeFolder();
  expect((await runBanyan(folder, ["chat", "calc", "6*7"])).code).toBe(0);
  writeConfig(folder, { session: { dmScope: "main" } });
  const { code, level, report } = await examine(folder);
  expect(code).toBe(0);
  expect(report.orphaned).toMatchObject([{ key: "agent:main:webchat:dm:operator", target: "agent:main:main" }]);
  expect(level("sessions")).toMatchObject([
    { level: "ok", text: "1 session" },
    { level: "warning", cure: "banyan sessions rekey agent:main:webchat:dm:operator agent:main:main" },
  ]);
  const cure = ["sessions", "rekey", "agent:main:webchat:dm:operator", "agent:main:main"];
  expect(await runBanyan(folder, cure)).toMatchObject({ code: 0, stderr: "" });
  expect((await examine(folder)).report.orphaned).toEqual([]);
});

/** A conversation of the agent main under each key, written in by the operator. */
async function storeSessions(folder: string, keys: readonly string[]): Promise<void> {
  const store = await openSqliteStore({ stateDir: stateDirOf(folder) });
  for (const key of keys) {
    const sessionId = randomUUID();
    const sessionFile = `${sessionId}.jsonl`;
    const body = JSON.stringify({ sessionId, sessionFile, updatedAt: 1 });
    const session = { key, sessionId, agentId: "main", file: sessionFile, body };
    const item = { lane: key, dedupe: key, nativeId: key, kind: "message", address: "a", body: "{}" } as const;
    const writer = { channel: "webchat", peer: "operator" };
    const items = [{ ...item, session: { ...session, expectRevision: 0 }, writer, laneCap: 9 }];
    await store.commit({ step: "receive", account: { channel: "webchat", account: "default" }, items });
  }
  await store.close();
}

test("an orphan whose new key is taken is named with the two lines that let the two change places, which work", async () => {
  const folder = makeFolder();
  const [old, taken] = ["agent:main:webchat:dm:operator", "agent:main:main"];
  await storeSessions(folder, [old, taken]);
  writeConfig(folder, { session: { dmScope: "main" } });
  const { level } = await examine(folder);
  const [, warning] = level("sessions");
  expect(warning).toMatchObject({
    level: "warning",
    text: expect.stringContaining(`another conversation has ${taken}`),
  });
  const lines = (warning?.cure ?? "").split("\n");
  expect(lines).toEqual([
    `banyan sessions rekey ${taken} agent:main:dm:main-before`,
    `banyan sessions rekey ${old} ${taken}`,
  ]);
  for (const line of lines) expect((await runBanyan(folder, line.split(" ").slice(1))).stderr).toBe("");
  expect((await runBanyan(folder, ["doctor"])).stdout).toContain("All is well.");
});

test("five orphans are named, and the others counted", async () => {
  const folder = makeFolder();
  const tabs = [1, 2, 3, 4, 5, 6, 7].map((tab) => `agent:main:webchat:dm:tab-${tab}`);
  await storeSessions(folder, ["agent:main:main", ...tabs]);
  writeConfig(folder, { session: { dmScope: "main" } });
  const { level } = await examine(folder);
  expect(level("sessions").map(({ text }) => text)).toEqual([
    "8 sessions",
    ...Array.from({ length: 5 }, () => expect.stringContaining("another conversation has")),
    "2 more like these",
  ]);
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

test("no move is advised that would show one person what another has written", async () => {
  const folder = makeFolder();
  expect((await runBanyan(folder, ["chat", "calc", "6*7"])).code).toBe(0);
  const store = await openSqliteStore({ stateDir: stateDirOf(folder) });
  const session = { key: "agent:main:telegram:dm:12", sessionId: "s-12", agentId: "main", file: "f", body: "{}" };
  const item = { lane: session.key, dedupe: "d", nativeId: "n", kind: "message", address: "a", body: "{}" } as const;
  const writer = { channel: "telegram", peer: "12" };
  const account = { channel: "telegram", account: "default" };
  const items = [{ ...item, session: { ...session, expectRevision: 0 }, writer, laneCap: 9 }];
  await store.commit({ step: "receive", account, items });
  await store.close();
  const token = { token: TOKEN, apiBaseUrl: "http://127.0.0.1:9", allowFrom: ["11"] };
  writeConfig(folder, {
    session: { dmScope: "main", identityLinks: { ada: ["telegram:11", "webchat:operator"] } },
    channels: { telegram: { accounts: { default: token } } },
  });
  const { report, level } = await examine(folder);
  const [stranger] = report.orphaned.filter(({ key }) => key === session.key);
  expect(stranger).toMatchObject({ key: session.key });
  expect(stranger).not.toHaveProperty("target");
  expect(JSON.stringify(level("sessions"))).not.toContain(`rekey ${session.key}`);
});
