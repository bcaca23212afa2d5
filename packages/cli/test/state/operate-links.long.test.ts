import { existsSync, statSync } from "node:fs";
import { loadConfig } from "@banyan/core";
import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { operateLinks } from "../../src/state/operate-links.ts";
import { rekeySession } from "../../src/state/operate-sessions.ts";
import { readState } from "../../src/state/read-state.ts";
import { makeFolder, runBanyan, stateDirOf } from "../bin/banyan-process.ts";

const KEY = "agent:main:irc:dm:1";
const ID = "11111111-1111-4111-8111-111111111111";
const BODY = JSON.stringify({ sessionId: ID, sessionFile: "s.jsonl", updatedAt: 1 });

/** A state directory with one conversation of `irc:1`. */
async function makeState() {
  const folder = makeFolder();
  const stateDir = stateDirOf(folder);
  const store = await openSqliteStore({ stateDir });
  const session = { key: KEY, sessionId: ID, agentId: "main", file: "s.jsonl", expectRevision: 0, body: BODY };
  const item = { lane: KEY, dedupe: "1", nativeId: "1", kind: "message", address: "none", body: "{}" } as const;
  const writer = { channel: "irc", peer: "1" };
  await store.commit({
    step: "receive",
    account: { channel: "irc", account: "default" },
    items: [{ ...item, session, writer, refused: "told as history", laneCap: 10 }],
  });
  await store.commit({ step: "write_session", writeId: "w", session });
  await store.close();
  const loaded = await loadConfig({ cwd: folder, env: { BANYAN_STATE_DIR: stateDir }, readManifests: () => [] });
  return { folder, loaded };
}

describe.each(["beside a gateway", "without one"])("%s", (where) => {
  test("accounts are linked and parted, and a conversation goes on under another key", async () => {
    const { folder, loaded } = await makeState();
    const { config } = loaded;
    if (where === "beside a gateway") {
      const env = { BANYAN_STATE_DIR: config.stateDir, BANYAN_PORT: "0", BANYAN_LOG_LEVEL: "silent" };
      const open = await openGateway({ cwd: folder, env });
      onTestFinished(() => open.gateway.stop());
    }
    const linksOf = () =>
      readState(config, async (read) => (await read.routes()).links.map(({ person, peer }) => `${person} ${peer}`));
    expect(await operateLinks(loaded, (links) => links.add(["irc:1", "irc:2"], "alice"))).toMatchObject({
      person: "alice",
      accounts: ["irc:1", "irc:2"],
    });
    expect(await linksOf()).toEqual(["alice 1", "alice 2"]);
    const to = "agent:main:dm:alice";
    expect(await rekeySession(loaded, { from: KEY, to, acceptShared: false })).toEqual({
      from: KEY,
      to,
      sessionId: ID,
    });
    await expect(rekeySession(loaded, { from: KEY, to, acceptShared: false })).rejects.toThrow(/there is no session/);
    expect(await readState(config, async (read) => (await read.session(to))?.sessionId)).toBe(ID);
    expect(await operateLinks(loaded, (links) => links.remove("irc:1"))).toEqual({
      account: "irc:1",
      person: "alice",
      alone: "irc:2",
    });
    await expect(operateLinks(loaded, (links) => links.remove("irc:1"))).rejects.toThrow(/is not linked/);
    expect(await linksOf()).toEqual([]);
  });
});

describe("a fresh state directory", () => {
  test("accounts are linked before the first start, which goes on with the link", async () => {
    const folder = makeFolder();
    const env = { BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0", BANYAN_LOG_LEVEL: "silent" };
    const added = await runBanyan(folder, ["link", "add", "telegram:7", "webchat:operator", "--name", "ada"], { env });
    expect(added).toMatchObject({
      code: 0,
      stderr: "",
      stdout: "  telegram:7 and webchat:operator are linked as ada\n",
    });
    expect(statSync(stateDirOf(folder)).mode & 0o777).toBe(0o700);
    const open = await openGateway({ cwd: folder, env });
    onTestFinished(() => open.gateway.stop());
    const links = await readState(open.loaded.config, async (read) => (await read.routes()).links);
    expect(links).toMatchObject([
      { person: "ada", peer: "7" },
      { person: "ada", peer: "operator" },
    ]);
  });

  test("there is nothing to part, and nothing is made for it", async () => {
    const folder = makeFolder();
    const removed = await runBanyan(folder, ["link", "remove", "telegram:7"]);
    expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing was ever stored in ") });
    expect(existsSync(stateDirOf(folder))).toBe(false);
  });
});
