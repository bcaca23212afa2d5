import { randomUUID } from "node:crypto";
import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, test } from "vitest";
import { makeFolder, runBanyan, stateDirOf } from "../bin/banyan-process.ts";
import { examine, writeConfig } from "./examination.ts";

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
  const token = { token: "7550001:nobody_asks_with_it", apiBaseUrl: "http://127.0.0.1:9", allowFrom: ["11"] };
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
