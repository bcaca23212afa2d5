import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../house/command.ts";
import { REPOSITORY } from "../house/repository.ts";
import { WebPerson } from "../stage/web-person.ts";
import { buildPackages } from "./build-packages.ts";
import { lintTarball, packPackages, type Tarball } from "./pack-packages.ts";
import { startStrangerBanyan } from "./stranger-banyan.ts";
import { installStrangerProject } from "./stranger-project.ts";

const INSTALL_TIMEOUT_MS = 600_000;
const CONVERSATION_TIMEOUT_MS = 180_000;

const CONSUMER = `
import { defineConfig } from "@banyan/core";
import { type ChannelPlugin, formatAddress } from "@banyan/plugin-sdk";
import { type Store, StoreError } from "@banyan/plugin-sdk/store";
import { storeConformance } from "@banyan/plugin-sdk/store/suite";

export const used = [defineConfig, formatAddress, StoreError, storeConformance] as const;
export interface Parts { readonly plugin: ChannelPlugin; readonly store: Store }
`;

let folder: string;
let project: string;
let tarballs: readonly Tarball[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "banyan-packed-"));
  project = join(folder, "project");
  mkdirSync(project);
  tarballs = await packPackages(await buildPackages(), folder);
  await installStrangerProject(project, tarballs);
}, INSTALL_TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("publint finds nothing to say about any package", async () => {
  expect(tarballs.length).toBeGreaterThan(0);
  for (const tarball of tarballs) expect(await lintTarball(tarball), tarball.name).toEqual([]);
});

test("a stranger's program type-checks against the packages, declarations included", async () => {
  writeFileSync(join(project, "consumer.ts"), CONSUMER);
  const args = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--ignoreConfig", "consumer.ts"];
  const { output } = await runCommand(join(REPOSITORY, "node_modules/.bin/tsc"), args, project);
  expect(output).toBe("");
});

test(
  "a person talks with the agent of a Banyan that was installed from its tarballs",
  async () => {
    const banyan = await startStrangerBanyan(project, join(folder, "state"));
    const ada = new WebPerson("ada", () => banyan.door);
    await ada.says("calc 2 * (3 + 4)");
    await ada.hears(/14/);
    const said = await ada.transcript();
    expect(said.map(({ role }) => role)).toEqual(["user", "assistant"]);
    ada.leave();
    expect(await banyan.stop()).toBe(0);
  },
  CONVERSATION_TIMEOUT_MS,
);
