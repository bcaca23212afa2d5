import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openControlSocket } from "../src/control/control-socket.ts";
import { callGatewayRunKill, callGatewaySessionDelete } from "../src/gateway-calls.ts";
import { type ControlParts, createControlOperations } from "../src/gateway-control.ts";

async function openGateway(
  runs: ControlParts["runs"],
  deleteSession: ControlParts["deleteSession"] = async () => Promise.reject(new Error("it is not asked")),
): Promise<string> {
  const stateDir = mkdtempSync(join(tmpdir(), "banyan-calls-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const refuse = async (): Promise<never> => {
    throw new Error("it is not asked");
  };
  const operations = createControlOperations({
    outbox: { retry: refuse, drop: refuse },
    pairing: { approve: refuse, deny: refuse },
    links: { add: refuse, remove: refuse },
    sessions: { rekey: refuse },
    runs,
    deleteSession,
    describe: () => ({}),
    status: async () => ({}),
  });
  const socket = await openControlSocket(stateDir, operations);
  onTestFinished(() => socket.close());
  return stateDir;
}

test("a run is stopped in the name of the command line, and all that ended with it is told", async () => {
  const stateDir = await openGateway({
    kill: async (runId, actor) => ({ runId, killed: [`${runId}-child`, runId, actor] }),
  });
  expect(await callGatewayRunKill(stateDir, "9f3a")).toEqual({
    runId: "9f3a",
    killed: ["9f3a-child", "9f3a", "command line"],
  });
});

test("what is no run's id never reaches the gateway", async () => {
  const stateDir = await openGateway({ kill: async (runId) => ({ runId, killed: [] }) });
  await expect(callGatewayRunKill(stateDir, "")).rejects.toThrow(/runId/);
});

test("a session is deleted in the name of the command line", async () => {
  const kill = async (runId: string) => ({ runId, killed: [] });
  const stateDir = await openGateway({ kill }, async (key, actor) => ({ key, sessionId: actor, killed: ["9f3a"] }));
  const deleted = await callGatewaySessionDelete(stateDir, "agent:main:irc:dm:ada");
  expect(deleted).toEqual({ key: "agent:main:irc:dm:ada", sessionId: "command line", killed: ["9f3a"] });
});
