import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { listFiles, REPOSITORY } from "../house/repository.ts";
import { runPnpm } from "./pnpm.ts";
import { startStrangerBanyan } from "./stranger-banyan.ts";
import { writeUserProject } from "./user-project.ts";

const INSTALL_TIMEOUT_MS = 600_000;
/** What pnpm remembers of the workspace's install. */
const installSchema = z.object({ storeDir: z.string() });

/** A checkout of its own, installed without a network. */
async function makeClone(): Promise<string> {
  const clone = mkdtempSync(join(tmpdir(), "banyan-clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  for (const file of listFiles()) cpSync(join(REPOSITORY, file), join(clone, file));
  const modules = readFileSync(join(REPOSITORY, "node_modules/.modules.yaml"), "utf8");
  const { storeDir } = installSchema.parse(JSON.parse(modules));
  const install = ["install", "--frozen-lockfile", "--offline", "--store-dir", storeDir];
  const { exitCode, output } = await runPnpm(install, clone);
  if (exitCode !== 0) throw new Error(`installing a clone in ${clone}: pnpm refuses:\n${output}`);
  return clone;
}

test(
  "a configuration with a local channel and a local tool runs in a fresh clone, at its top and in a folder below",
  async () => {
    const clone = await makeClone();
    for (const folder of [clone, join(clone, "my-bot")]) {
      writeUserProject(folder);
      const banyan = await startStrangerBanyan(clone, join(folder, ".banyan"), folder);
      expect(banyan.lines).toContain("● wire/default running\n");
      expect(await banyan.stop()).toBe(0);
    }
  },
  INSTALL_TIMEOUT_MS,
);
