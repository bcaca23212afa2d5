import { parseConfig } from "@banyan/core";
import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, test } from "vitest";
import { checkDatabase } from "../../src/doctor/check-database.ts";
import { findGateway, orSilent } from "../../src/state/find-gateway.ts";
import { makeFolder } from "../bin/banyan-process.ts";

test("a process that holds the database and does not respond is an error that names it", async () => {
  const stateDir = makeFolder();
  const config = parseConfig({ stateDir }, { folder: stateDir });
  const store = await openSqliteStore({ stateDir });
  try {
    expect(await checkDatabase(config, await orSilent(findGateway(stateDir, 0)))).toMatchObject([
      {
        subject: "database",
        level: "error",
        text: `Calling the gateway on ${stateDir}: PID ${process.pid} uses it and does not respond`,
        cure: expect.stringContaining(`resume it (kill -CONT ${process.pid}); else kill it`),
      },
    ]);
    const gateway = { url: "http://example", token: "t", pid: process.pid, version: "0" };
    expect(await checkDatabase(config, gateway)).toMatchObject([{ level: "ok" }]);
  } finally {
    await store.close();
  }
  const [alone] = await checkDatabase(config, undefined);
  expect(alone).toMatchObject({ level: "ok", text: expect.stringMatching(/no gateway runs$/) });
});
