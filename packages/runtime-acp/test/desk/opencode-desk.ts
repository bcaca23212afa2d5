import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createModelEmulator, type ModelEmulator, type ModelScript } from "@banyan/emulator-model";
import type { AcpProfile, AgentRuntime } from "@banyan/plugin-sdk";
import { onTestFinished } from "vitest";
import { createAcpRuntime } from "../../src/index.ts";

/** The path of the program `opencode` itself; its tests are left out where none is named. */
const OPENCODE = process.env.BANYAN_TEST_OPENCODE ?? "";
export const isOpencodeNamed: boolean = OPENCODE !== "";

/** Of a test: with an empty home the program takes seconds to come up, on a busy machine twenty, and one case starts it twice. */
export const OPENCODE_LIMIT_MS = 120_000;

/** Conversations are worked on with the one, and given titles with the other, whenever the program likes. */
export const WORK_MODEL = "oak";
const TITLE_MODEL = "acorn";

/** What starts the program, and keeps the id of its process, by which it can be killed. */
const LAUNCHER = '#!/bin/sh\necho $$ >> "$0.pids"\nexec "$0.program" "$@"\n';

export interface OpencodeDesk {
  readonly runtime: AgentRuntime;
  readonly server: ModelEmulator;
  /** Absolute: all that the program has is below it. */
  readonly folder: string;
  /** Kills the process that was started last, with what it has started. */
  kill(): void;
}

/** The real opencode under a runtime of ours, in folders of its own, with a model server of ours; all ended with the test. */
export async function openOpencode(profile: AcpProfile, script: ModelScript): Promise<OpencodeDesk> {
  if (!existsSync(OPENCODE))
    throw new Error(
      `The tests of opencode were started: there is no ${OPENCODE}; set BANYAN_TEST_OPENCODE to the program's path`,
    );
  const folder = mkdtempSync(join(tmpdir(), "banyan-opencode-"));
  // What is registered first is done last: behind the end of the program.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await createModelEmulator({
    script: (request, index) => (request.model === TITLE_MODEL ? { text: "A title" } : script(request, index)),
  });
  onTestFinished(() => server.close());
  const launcher = installLauncher(folder);
  const env = buildEnvironment(folder, server.url);
  const runtime = createAcpRuntime({
    findSettings: () => ({ agent: "opencode", env: Object.keys(env), profile }),
    env: { ...env, PATH: `${join(folder, "bin")}:${process.env.PATH}` },
    folder: join(folder, "work"),
    version: "0",
    random: () => 0,
  });
  onTestFinished(() => runtime.close?.());
  const kill = () => {
    const pid = Number(readFileSync(`${launcher}.pids`, "utf8").trim().split("\n").at(-1));
    // Of the group that it leads.
    process.kill(-pid, "SIGKILL");
  };
  return { runtime, server, folder, kill };
}

function installLauncher(folder: string): string {
  const launcher = join(folder, "bin", "opencode");
  mkdirSync(join(folder, "bin"));
  writeFileSync(launcher, LAUNCHER, { mode: 0o700 });
  symlinkSync(resolve(OPENCODE), `${launcher}.program`);
  return launcher;
}

/** Nothing of its user's, models of ours, and no look for newer ones. */
function buildEnvironment(folder: string, url: string): Readonly<Record<string, string>> {
  // It tells a session's cost only where it knows a model's prices and its window.
  const work = { limit: { context: 100_000, output: 4_096 }, cost: { input: 10, output: 100 } };
  const grove = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: url, apiKey: "x" },
    models: { [WORK_MODEL]: work, [TITLE_MODEL]: {} },
  };
  const settings = { model: `grove/${WORK_MODEL}`, small_model: `grove/${TITLE_MODEL}`, provider: { grove } };
  const config = join(folder, "opencode.json");
  writeFileSync(config, JSON.stringify(settings));
  return {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_DATA_HOME: join(folder, "data"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
    OPENCODE_CONFIG: config,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
}
