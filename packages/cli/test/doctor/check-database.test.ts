import { parseConfig } from "@banyan/core";
import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, test } from "vitest";
import { checkDatabase } from "../../src/doctor/check-database.ts";
import { makeFolder } from "../bin/banyan-process.ts";

test("who holds the database and answers no command is an error that names the process", async () => {
  const stateDir = makeFolder();
  const config = parseConfig({ stateDir }, { folder: stateDir });
  const store = await openSqliteStore({ stateDir });
  try {
    expect(await checkDatabase(config, undefined)).toMatchObject([
      {
        subject: "database",
        level: "error",
        text: `process ${process.pid} holds the database and answers no command`,
        cure: expect.stringContaining("end it"),
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
