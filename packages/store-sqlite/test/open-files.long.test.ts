import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Only ends a process that hangs. */
const LIMIT_MS = 180_000;

/** Opens the store with no file left to open, then one, and so on; prints each end, and whether the lock is free after it. */
const PROGRAM = `
import { closeSync, openSync } from "node:fs";
import { findSqliteHolder, openSqliteStore } from "@banyan/store-sqlite";
const stateDir = process.argv[1];
const log = { debug() {}, info() {}, warn() {}, error() {} };
await (await openSqliteStore({ stateDir, log })).close();
for (let free = 0; free < 24; free += 1) {
  const held = [];
  try { for (;;) held.push(openSync("/dev/null")); } catch {}
  for (const fd of held.splice(0, free)) closeSync(fd);
  let end = "opened";
  let store;
  try { store = await openSqliteStore({ stateDir, log }); } catch (error) { end = error.name; }
  for (const fd of held) closeSync(fd);
  await store?.close();
  const holder = findSqliteHolder(stateDir);
  console.log(JSON.stringify({ free, end, isFree: holder === undefined }));
}
`;

test(
  "a store that cannot be opened for want of files leaves no thread and no lock",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "banyan-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = ["--input-type=module", "-e", PROGRAM, join(folder, "state")];
    const child = spawn("sh", ["-c", 'ulimit -n 64; exec "$0" "$@"', process.execPath, ...program], {
      cwd: import.meta.dirname,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
    // It ends by itself: nothing that was opened keeps it.
    await once(child, "close");
    expect(child.exitCode, output).toBe(0);
    const ends = output.trim().split("\n");
    expect(ends).toHaveLength(24);
    for (const line of ends) {
      expect(JSON.parse(line)).toMatchObject({ end: expect.stringMatching(/^(?:opened|StoreError)$/), isFree: true });
    }
    expect(output).toContain("StoreError");
  },
  LIMIT_MS,
);
