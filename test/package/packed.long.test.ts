import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../house/command.ts";
import { REPOSITORY } from "../house/repository.ts";
import { WebPerson } from "../stage/web-person.ts";
import { buildPackages } from "./build-packages.ts";
import { openLoopbackRegistry } from "./loopback-registry.ts";
import { lintTarball, packPackages, type Tarball } from "./pack-packages.ts";
import { startStrangerBanyan } from "./stranger-banyan.ts";
import { installStrangerProject } from "./stranger-project.ts";
import { USER_FILES, writeUserProject } from "./user-project.ts";

const INSTALL_TIMEOUT_MS = 600_000;
const CONVERSATION_TIMEOUT_MS = 180_000;

const CONSUMER = `
import { defineConfig } from "@banyan/core";
import { type ChannelPlugin, formatAddress } from "@banyan/plugin-sdk";
import { type Store, StoreError } from "@banyan/store";
import { storeConformance } from "@banyan/store/suite";

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
  expect(await findTypeErrors(project, ["consumer.ts"])).toBe("");
});

/** Installs `banyan` in an empty folder, as a user does. */
const INSTALLERS = {
  async npm(own: string): Promise<void> {
    const registry = await openLoopbackRegistry(tarballs, join(folder, "registry"));
    const place = [
      "--registry",
      registry.url,
      "--cache",
      join(folder, "npm-cache"),
      "--userconfig",
      join(own, ".npmrc"),
    ];
    const { exitCode, output } = await runCommand(
      "npm",
      ["install", "banyan", ...place, "--no-audit", "--no-fund"],
      own,
    );
    registry.close();
    if (exitCode !== 0) throw new Error(`installing banyan in ${own}: npm refuses:\n${output}`);
  },
  pnpm: (own: string): Promise<void> => installStrangerProject(own, tarballs, ["banyan"]),
};

describe.each(["npm", "pnpm"] as const)("in a folder where %s has installed banyan alone", (installer) => {
  let own: string;

  beforeAll(async () => {
    own = join(folder, installer);
    mkdirSync(own);
    await INSTALLERS[installer](own);
    writeUserProject(own);
  }, INSTALL_TIMEOUT_MS);

  test("the documents' configuration, channel and tool type-check", async () => {
    expect(await findTypeErrors(own, USER_FILES)).toBe("");
  });

  test("they run there, and in an empty folder with the command that is installed here", async () => {
    const empty = join(folder, `${installer}-empty`);
    writeUserProject(empty);
    for (const cwd of [own, empty]) {
      const banyan = await startStrangerBanyan(own, join(cwd, "state"), cwd);
      expect(banyan.lines).toContain("● wire/default running\n");
      expect(banyan.lines).not.toMatch(/warning/i);
      expect(await banyan.stop()).toBe(0);
    }
  });
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

/** What the compiler says of files with strict settings; nothing where they are fine. */
async function findTypeErrors(directory: string, files: readonly string[]): Promise<string> {
  const args = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--ignoreConfig", ...files];
  return (await runCommand(join(REPOSITORY, "node_modules/.bin/tsc"), args, directory)).output;
}
