import { type LoadedConfig, loadConfig } from "@banyan/core";
import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { operatePairing } from "../../src/state/operate-pairing.ts";
import { readState } from "../../src/state/read-state.ts";
import { makeFolder, stateDirOf } from "../bin/banyan-process.ts";

const CODES = [
  ["ada", "7KQ2MXPA"],
  ["eve", "00000001"],
] as const;

/** A state directory with two strangers who wait, on a channel that is not on now. */
async function makeState(env: Readonly<Record<string, string>> = {}) {
  const folder = makeFolder();
  const stateDir = stateDirOf(folder);
  const store = await openSqliteStore({ stateDir });
  const account = { channel: "irc", account: "default" };
  const items = CODES.map(([senderId, code]) => {
    const address = `irc/default/dm/${senderId}`;
    const identity = { lane: "", dedupe: senderId, nativeId: senderId, kind: "message", address, body: "{}" } as const;
    const pairing = { ...account, senderId, code, address, ttlMs: 60_000, mostPending: 3 };
    return { ...identity, laneCap: 0, refused: "unknown_sender", pairing };
  });
  await store.commit({ step: "receive", account, items });
  await store.close();
  const loaded = await loadConfig({
    cwd: folder,
    env: { BANYAN_STATE_DIR: stateDir, ...env },
    readManifests: () => [],
  });
  return { folder, loaded };
}

const listStates = ({ config }: LoadedConfig) =>
  readState(config, async (read) =>
    (await read.pairings({ limit: 9 })).map(({ senderId, state }) => `${senderId} ${state}`).toSorted(),
  );

describe.each(["beside a gateway", "without one"])("%s", (where) => {
  test("a stranger is let in and put out again", async () => {
    const { folder, loaded } = await makeState();
    if (where === "beside a gateway") {
      const env = { BANYAN_STATE_DIR: loaded.config.stateDir, BANYAN_PORT: "0", BANYAN_LOG_LEVEL: "silent" };
      const open = await openGateway({ cwd: folder, env });
      onTestFinished(() => open.gateway.stop());
      expect(open.pairings.map(({ senderId }) => senderId)).toEqual(["ada", "eve"]);
    }
    expect(await operatePairing(loaded, "approve", "7kq2-mxpa")).toEqual({
      channel: "irc",
      account: "default",
      senderId: "ada",
      state: "approved",
    });
    expect(await listStates(loaded)).toEqual(["ada approved", "eve pending"]);
    await operatePairing(loaded, "deny", "irc/default/ada");
    expect(await listStates(loaded)).toEqual(["ada denied", "eve pending"]);
    // The welcome waits for the start of a gateway that has the channel.
    expect(await readState(loaded.config, (read) => read.deliveries({ limit: 9 }))).toMatchObject([
      { address: "irc/default/dm/ada", state: "pending", body: JSON.stringify({ text: "You are in; write to me." }) },
    ]);
  });
});

test("a state directory that nothing was stored in has no strangers", async () => {
  const folder = makeFolder();
  const loaded = await loadConfig({ cwd: folder, env: {}, readManifests: () => [] });
  await expect(operatePairing(loaded, "approve", "7KQ2-MXPA")).rejects.toMatchObject({
    code: "nothing_stored",
    message: expect.stringMatching(/^settling a stranger: nothing was ever stored in .*; banyan start opens/),
  });
});
