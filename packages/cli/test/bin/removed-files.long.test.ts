import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { makeFolder, runBanyan, spawnBanyan, stateDirOf } from "./banyan-process.ts";

/** Only ends processes that hang. */
const LIMIT_MS = 180_000;

interface Door {
  readonly url: string;
  readonly token: string;
}

/** Resolves with the status of the answer; 0: there was none. */
function say({ url, token }: Door, text: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ peer: "ada", text });
  const posted = fetch(`${url}/api/webchat/messages`, { method: "POST", headers, body });
  return posted.then(({ status }) => status).catch(() => 0);
}

/** Writes until nothing is taken any more: what comes within 100 ms of the last check may still be. */
async function sayUntilRefused(door: Door): Promise<number> {
  for (let taken = 0; ; taken += 1) if ((await say(door, "calc 1+1")) !== 202) return taken;
}

describe("a gateway whose files are removed while it runs", () => {
  test.each(["banyan.db-wal", "banyan.db", "."])(
    "%s: it takes nothing more, ends and says why",
    async (name) => {
      const folder = makeFolder();
      const gateway = spawnBanyan(folder, ["start"]);
      const [, url = "", token = ""] =
        /● web chat {4}(http:\S+)\/\?token=(\S+)/.exec(await gateway.prints(/Ready in/)) ?? [];
      const door = { url, token };
      expect(await say(door, "calc 6*7")).toBe(202);
      rmSync(join(stateDirOf(folder), name), { recursive: true });
      const taken = 1 + (await sayUntilRefused(door));
      const { code, stderr } = await gateway.ended;
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /the store has failed; the gateway stops[\s\S]*banyan: The store failed: .*was removed or replaced while it was in use/,
        ),
      ]);
      if (name !== "banyan.db-wal") return;
      const shown = await runBanyan(folder, ["sessions", "show", "webchat", "--limit", "999"]);
      const inputs = shown.stdout.split("\n").filter((line) => / ada: calc /.test(line));
      const waiting = JSON.parse((await runBanyan(folder, ["status", "--json"])).stdout).counts.waitingItems;
      expect(inputs.length + waiting).toBeGreaterThanOrEqual(taken);
    },
    LIMIT_MS,
  );

  test(
    "status says so while it still answers",
    async () => {
      const folder = makeFolder();
      const stateDir = stateDirOf(folder);
      const failed = Promise.withResolvers<void>();
      const env = { BANYAN_STATE_DIR: stateDir, BANYAN_PORT: "0" };
      const onFailure = () => failed.resolve();
      const open = await openGateway({ cwd: folder, env, writeLog: () => undefined, onFailure });
      onTestFinished(() => open.gateway.stop());
      rmSync(join(stateDir, "banyan.db-wal"));
      await sayUntilRefused({ url: open.gateway.url, token: open.token });
      await failed.promise;
      const [status, json] = await Promise.all([
        runBanyan(folder, ["status"]),
        runBanyan(folder, ["status", "--json"]),
      ]);
      expect([status.code, status.stdout]).toEqual([
        0,
        expect.stringMatching(/^ {2}failed: writing the store in .*banyan\.db-wal was removed/),
      ]);
      expect(JSON.parse(json.stdout)).toMatchObject({
        running: true,
        state: "failed",
        failure: expect.stringContaining("banyan.db-wal"),
      });
      expect((await fetch(`${open.gateway.url}/healthz`)).status).toBe(503);
    },
    LIMIT_MS,
  );
});
