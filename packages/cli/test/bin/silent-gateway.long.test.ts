import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, runBanyan, spawnBanyan, stateDirOf } from "./banyan-process.ts";

/** Each command waits until it is sure that nothing answers. */
const LIMIT_MS = 180_000;

test(
  "a gateway that is suspended is named by each command, with what to do",
  async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "banyan.config.json"), "{}");
    const started = spawnBanyan(folder, ["start"]);
    await started.prints(/Ready in/);
    await runBanyan(folder, ["chat", "hello"]);
    started.kill("SIGSTOP");
    const [status, json, doctor, ...others] = await Promise.all([
      runBanyan(folder, ["status"]),
      runBanyan(folder, ["status", "--json"]),
      runBanyan(folder, ["doctor"]),
      runBanyan(folder, ["outbox", "retry", "9f3a"]),
      runBanyan(folder, ["pair", "approve", "AAAA-AAAA"]),
      runBanyan(folder, ["link", "remove", "webchat:operator"]),
      runBanyan(folder, ["sessions", "delete", "webchat", "--yes"]),
    ]);
    const { pid } = started;
    const sentence = `PID ${pid} uses it and does not respond`;
    const cure = `if it is suspended, resume it (kill -CONT ${pid}); else kill it (kill -9 ${pid})`;
    expect(status.stdout).toContain(`  PID ${pid} uses ${stateDirOf(folder)} and does not respond\n`);
    expect(status.stdout).toContain(cure);
    expect(JSON.parse(json.stdout)).toMatchObject({ running: true, state: "silent", pid, counts: { sessions: 1 } });
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(sentence);
    expect(doctor.stdout).not.toContain("no gateway");
    for (const { code, stderr } of others) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
      expect(stderr).toContain(cure);
    }
    started.kill("SIGCONT");
    expect((await runBanyan(folder, ["status"])).stdout).toMatch(/^ {2}up \d/);
  },
  LIMIT_MS,
);
