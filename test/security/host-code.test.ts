import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkshop } from "../stage/tool-worker.ts";

const DICE = `
import { defineTool, defineToolPlugin } from "@banyan/plugin-sdk";
import { sides } from "./parts/sides.ts";
import { z } from "zod";

const roll = async () => (await import("./parts/lazy.ts")).roll(sides);
export default defineToolPlugin({
  id: "dice",
  apiVersion: 1,
  tools: [defineTool({ name: "roll_dice", description: "Rolls.", args: z.strictObject({}), isRepeatable: true, run: roll })],
});
`;

test("attack 33: an agent overwrites no code that the host runs: neither a plugin nor anything that it imports, also not yet", async () => {
  const files = {
    "plugins/dice.ts": DICE,
    "plugins/parts/sides.ts": 'export { sides } from "../../deep/count.js";',
    "deep/count.js": 'export const sides = 6; new URL("./worker.js", import.meta.url);',
    "deep/worker.js": "",
    "deep/notes.js": "// No part of it.",
  };
  const { grove, ada } = await openWorkshop({}, { config: { plugins: ["./plugins/dice.ts"] }, files });
  const writes = async (path: string) => {
    await ada.says(`write_file ${JSON.stringify({ path, content: "stolen" })}`);
    return (await ada.hears(/./)).text;
  };
  for (const path of [
    "plugins/dice.ts",
    "plugins/parts/sides.ts",
    "plugins/../deep/count.js",
    "deep/worker.js",
    // Imported when it is needed, and not there yet.
    "plugins/parts/lazy.ts",
    // They would change what is found, and how it is run.
    "plugins/package.json",
    "deep/node_modules/zod/index.js",
    "node_modules/zod/index.js",
    "banyan.config.json",
    "banyan.config.ts",
    // The next `npx banyan start` would run what these name.
    ".npmrc",
    ".NPMRC",
    ".pnpmfile.cjs",
    "pnpm-workspace.yaml",
  ])
    expect([path, await writes(path)]).toEqual([path, expect.stringMatching(/^write_file failed \(permission\)/)]);
  for (const [path, text] of Object.entries(files)) expect(readFileSync(join(grove.folder, path), "utf8")).toBe(text);
  expect(await writes("deep/notes.js")).toContain("It is written.");
});

test("attack 33: no program runs in a workspace that holds code of the host, and the refusal says what helps", async () => {
  const files = { "workspace/parts/name.ts": 'export const name = "dice";' };
  const plugin =
    'import { name } from "./workspace/parts/name.ts"; export default { kind: "tools", id: name, apiVersion: 1, tools: [] };';
  const agents = {
    main: { runtime: "scripted", default: true, workspace: "./workspace", tools: { exec: true } },
  };
  const shop = await openWorkshop({}, { files, config: { agents } });
  const packs = async () => {
    await shop.ada.says('exec {"argv":["tar","-cf","all.tar","."]}');
    return (await shop.ada.hears(/./)).text;
  };
  expect(await packs()).toMatch(/^\[exit code 0/);
  writeFileSync(join(shop.grove.folder, "dice.ts"), plugin);
  await shop.grove.restart({ config: { agents, plugins: ["./dice.ts"] } });
  expect(await packs()).toMatch(
    /^exec failed \(permission\): the workspace holds "[a-z_./]+", which no program may reach, so no program runs; tell the operator: set the agent's `workspace` to a separate folder, such as "\.\/workspace"\.$/,
  );
  await shop.grove.restart({ config: { agents: { main: { ...agents.main, workspace: "." } } } });
  expect(await packs()).toContain('the workspace holds "state", which no program may reach');
});
