import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { findGateway, findGatewayStatus, SilentGateway } from "../../src/state/find-gateway.ts";
import { makeFolder } from "../bin/banyan-process.ts";

/** A process that holds the lock and answers no call, as a suspended gateway does. */
async function makeHeldFolder(): Promise<string> {
  const stateDir = makeFolder();
  const store = await openSqliteStore({ stateDir, readable: false });
  onTestFinished(() => store.close());
  return stateDir;
}

test("a gateway that holds the lock and does not answer is not absent: it is named by its pid", async () => {
  const stateDir = await makeHeldFolder();
  for (const find of [findGateway, findGatewayStatus]) {
    const error: unknown = await find(stateDir, 0).catch((found: unknown) => found);
    expect(error).toBeInstanceOf(SilentGateway);
    expect(error).toMatchObject({
      code: "gateway_silent",
      pid: process.pid,
      message: expect.stringContaining(`PID ${process.pid} uses it and does not respond; if it is starting`),
    });
  }
});

test("no process holds the lock: no gateway runs", async () => {
  const stateDir = makeFolder();
  expect(await findGateway(stateDir, 0)).toBeUndefined();
  await (await openSqliteStore({ stateDir, readable: false })).close();
  expect(await findGateway(stateDir, 0)).toBeUndefined();
  expect(await findGateway(`${stateDir}/absent`, 0)).toBeUndefined();
});
