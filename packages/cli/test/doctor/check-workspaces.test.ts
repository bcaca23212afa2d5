import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@banyan/core";
import { expect, test } from "vitest";
import { checkWorkspaces } from "../../src/doctor/check-workspaces.ts";
import { writeSetup } from "../../src/init/setup-files.ts";
import { makeFolder } from "../bin/banyan-process.ts";

async function check(folder: string, config: object) {
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
  return checkWorkspaces(await loadConfig({ cwd: folder, env: {} }), {});
}

test("attack 33: doctor names each agent whose programs are refused, and the cure", async () => {
  const folder = makeFolder();
  for (const name of ["garden", "bot"]) mkdirSync(join(folder, name));
  const runs = { runtime: "demo", tools: { exec: true } };
  const agents = {
    main: { ...runs, default: true },
    ops: { ...runs, workspace: "./garden" },
    code: { ...runs, workspace: "./bot" },
    guest: { runtime: "demo" },
  };
  const found = await check(folder, { agents, plugins: ["./bot/dice.ts"] });
  expect(found).toEqual([
    {
      subject: "agents/main",
      level: "warning",
      text: `exec is refused: the workspace ${folder} holds ".banyan", which no program may reach`,
      cure: 'set agents.main.workspace to a separate folder, such as "./workspace"',
    },
    expect.objectContaining({
      subject: "agents/code",
      text: expect.stringMatching(
        /^exec is refused: the workspace .*\/bot holds "(dice\.ts|package\.json|node_modules)"/,
      ),
    }),
  ]);
});

test("attack 33: what init writes is a layout in which programs may run", async () => {
  const folder = makeFolder();
  const file = join(folder, "banyan.config.json");
  const openai = { provider: "openai", model: "openai/small" };
  const variables = [{ variable: "OPENAI_API_KEY", key: "apiKey", value: "sk-1", isFromEnvironment: false }] as const;
  for (const model of [undefined, { ...openai, variables }]) {
    writeSetup(
      { channels: [], model },
      { configFile: file, before: undefined, folder, stateDir: join(folder, ".banyan") },
    );
    const { agents } = JSON.parse(readFileSync(file, "utf8"));
    expect(agents.main.workspace).toBe("./workspace");
    expect(statSync(join(folder, "workspace")).isDirectory()).toBe(true);
    const main = { ...agents.main, runtime: "demo", model: undefined, tools: { exec: true } };
    expect(await check(folder, { agents: { main } })).toEqual([]);
  }
});
