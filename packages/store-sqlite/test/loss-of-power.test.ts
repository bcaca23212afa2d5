import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

describe("the writing connection", () => {
  // sqlite.org/pragma.html#pragma_synchronous: with FULL each commit syncs the log, with NORMAL only a checkpoint does.
  const [NORMAL, FULL] = [1, 2];

  test.each([
    { asked: {}, found: FULL },
    { asked: { synchronous: "full" }, found: FULL },
    { asked: { synchronous: "normal" }, found: NORMAL },
  ] as const)("asked for $asked: a commit survives a loss of power unless less is enough", async ({ asked, found }) => {
    const stateDir = createTemporaryFolder();
    const answer = join(stateDir, "synchronous");
    const module = join(stateDir, "look.mjs");
    writeFileSync(
      module,
      `import { writeFileSync } from "node:fs";
       export default () => undefined;
       export function prepareDatabase(database) {
         writeFileSync(${JSON.stringify(answer)}, String(database.prepare("PRAGMA synchronous").get().synchronous));
       }`,
    );
    const faultPointModule = pathToFileURL(module).href;
    const store = await openSqliteStore({ stateDir, readable: false, faultPointModule, ...asked });
    onTestFinished(() => store.close());
    expect(Number(readFileSync(answer, "utf8"))).toBe(found);
  });
});

test("a backup survives a loss of power: it is synced before it gets its name", async () => {
  const stateDir = createTemporaryFolder();
  const store = await openTestStore({ stateDir, readable: false });
  await store.commit(buildWriteSession("w1"));
  await store.close();
  const calls = await traceFileCalls(stateDir, `await writeBackup(${JSON.stringify(stateDir)}, 0, Date.now())`);
  const renamed = calls.lastIndexOf("rename");
  expect(renamed).toBeGreaterThan(0);
  // After the last change of the copy.
  expect(calls.lastIndexOf("fsync", renamed)).toBeGreaterThan(calls.lastIndexOf("chmod", renamed));
});

/** Runs this in a process. Answers what it asked of the file system, in order, by the names in Node's trace. */
async function traceFileCalls(folder: string, script: string): Promise<string[]> {
  const trace = join(folder, "trace.json");
  const module = new URL("../src/keeper/backup.ts", import.meta.url).href;
  const child = spawn(
    process.execPath,
    [
      "--trace-event-categories=node.fs.sync",
      `--trace-event-file-pattern=${trace}`,
      "--input-type=module",
      "--eval",
      `import { writeBackup } from ${JSON.stringify(module)}; ${script};`,
    ],
    { stdio: "inherit" },
  );
  expect(await once(child, "exit")).toEqual([0, null]);
  const { traceEvents }: { traceEvents: { name: string; ph: string }[] } = JSON.parse(readFileSync(trace, "utf8"));
  return traceEvents.filter(({ ph }) => ph === "B").map(({ name }) => name.replace("fs.sync.", ""));
}
