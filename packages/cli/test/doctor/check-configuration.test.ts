import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@banyan/core";
import { expect, test } from "vitest";
import { checkConfiguration } from "../../src/doctor/check-configuration.ts";
import { makeFolder } from "../bin/banyan-process.ts";

test.each([
  [0o600, false],
  [0o400, false],
  [0o640, true],
  [0o604, true],
])("a file of tokens with mode %o: readable by others is %s", async (mode, isWarned) => {
  const folder = makeFolder();
  const file = join(folder, ".env");
  writeFileSync(file, "");
  chmodSync(file, mode);
  const loaded = await loadConfig({ cwd: folder, env: {} });
  const warning = { subject: "configuration", level: "warning", text: expect.any(String), cure: `chmod 600 ${file}` };
  const [head, ...rest] = checkConfiguration(loaded, folder);
  expect(head).toMatchObject({ level: "ok" });
  expect(rest).toEqual(isWarned ? [warning] : []);
});
