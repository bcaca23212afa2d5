import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseConfig } from "@banyan/core";
import { expect, onTestFinished, test } from "vitest";
import { createHostCode } from "../../src/gateway/host-code.ts";

/** A project with a configuration, and whether the host runs a file of it. */
async function openProject(config: object, files: Readonly<Record<string, string>>, path = "") {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "banyan-project-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const parsed = parseConfig(config, { folder });
  const file = join(folder, "banyan.config.json");
  const around = { sources: new Map(), secrets: [], secretPaths: new Set<string>(), manifests: [] };
  const list = await createHostCode({ config: parsed, folder, file, ...around }, { PATH: join(folder, path) });
  return { folder, write, list, has: (name: string) => list().includes(join(folder, name)) };
}

const DICE = { plugins: ["./dice.ts"] };

test.each([
  ["an import", 'import { six } from "./six.ts";', "six.ts"],
  ["an import without a name", 'import"./six.ts"', "six.ts"],
  ["a re-export", "export * from './six.ts'", "six.ts"],
  ["an import when it is needed", "await import(\n  `./six.ts`\n)", "six.ts"],
  ["an import behind a comment", 'await import(/* later */ "./six.ts")', "six.ts"],
  ["an import with a query", 'import "./six.ts?again"', "six.ts"],
  ["an import with an escaped name", 'import "./s%69x.ts"', "six.ts"],
  ["a require without an extension", 'require("./parts/six")', "parts/six.js"],
  ["a require under another name", 'createRequire(import.meta.url)("./six")', "six.js"],
  ["a require of a folder", 'require("./parts")', "parts/index.js"],
  ["a thread", 'new Worker(new URL("./six.js", import.meta.url))', "six.js"],
])("attack 33: %s is found before the file exists", async (_what, code, file) => {
  const { has } = await openProject(DICE, { "dice.ts": code, "parts/notes.md": "" });
  expect(has(file)).toBe(true);
  expect(has("parts/notes.md")).toBe(false);
});

test("attack 33: a computed name makes the folder at its beginning the host's", async () => {
  const code = `import(\`./one/\${name}.ts\`); import("./two/part-" + name); load(\`./three/\${name}.js\`)`;
  const { has } = await openProject(DICE, { "dice.ts": code, "four/a.ts": "" });
  expect(["one", "two", "three", "four"].map(has)).toEqual([true, true, true, false]);
});

test("attack 33: names of a package's own tables lead to their files", async () => {
  const { has, write } = await openProject(DICE, {
    "dice.ts": 'import "#parts/six"; import "dice/sides/seven";',
    "package.json": JSON.stringify({
      name: "dice",
      imports: { "#parts/*": { node: "./parts/*.js", default: "./other/*.js" } },
      exports: { ".": "./dice.ts", "./sides/*": "./sides/*.ts" },
    }),
  });
  for (const name of ["parts/six.js", "other/six.js", "sides/seven.ts"])
    expect([name, has(name)]).toEqual([name, true]);
  expect(has("parts/five.js")).toBe(false);
  write("package.json", "{ broken");
  expect(() => has("dice.ts")).toThrow(/listing the code that the host runs: .*package\.json cannot be read as JSON/);
});

test("attack 33: a linked package that a plugin imports is the host's as a whole, with what it imports outside of it", async () => {
  const { folder, has } = await openProject(DICE, {
    "dice.ts": 'import { sides } from "sides/deep";',
    "packages/sides/package.json": '{ "name": "sides", "main": "main", "dependencies": { "numbers": "1" } }',
    "packages/sides/main.js": 'export * from "../common/six.js";',
    "packages/common/six.js": "",
    "packages/numbers/package.json": '{ "name": "numbers" }',
    "packages/other/package.json": '{ "name": "other" }',
  });
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["sides", "numbers", "other"])
    symlinkSync(join(folder, "packages", name), join(folder, "node_modules", name));
  for (const name of ["packages/sides", "packages/common/six.js", "packages/numbers", "node_modules"])
    expect([name, has(name)]).toEqual([name, true]);
  expect(has("packages/other")).toBe(false);
});

test("attack 33: where a link leads, the file is the host's as well, also before it exists", async () => {
  const { folder, has } = await openProject(DICE, { "dice.ts": 'import "./link.ts"; import "./parts/six.ts"' });
  symlinkSync("elsewhere/late.ts", join(folder, "link.ts"));
  mkdirSync(join(folder, "real"));
  symlinkSync("real", join(folder, "parts"));
  for (const name of ["link.ts", "elsewhere/late.ts", "elsewhere/package.json", "parts/six.ts", "real/six.ts"])
    expect([name, has(name)]).toEqual([name, true]);
});

test("attack 33: what a file imports is searched again when the file has changed", async () => {
  const { write, has } = await openProject(DICE, { "dice.ts": "", "new.ts": "" });
  expect(has("new.ts")).toBe(false);
  write("dice.ts", 'import "./new.ts";');
  expect(has("new.ts")).toBe(true);
});

test("attack 33: the program of a foreign agent is the host's, by its path, its arguments or PATH", async () => {
  const acp = (command: string, ...args: string[]) => ({ runtime: "acp", acp: { agent: { command, args } } });
  const agents = {
    main: { ...acp("node", "agent.mjs", "--import=./early.mjs", "late.mjs", "--fast"), default: true },
    other: acp("./bin/other"),
    third: acp("third-agent"),
    claude: { runtime: "acp", acp: { agent: "claude" } },
  };
  const files = {
    "agent.mjs": 'import "./parts.mjs";',
    "fast.mjs": "",
    "bin/other": '#!/usr/bin/env node\nimport("./other.js")',
    "tools/third-agent": "",
    "tools/claude-agent-acp": "",
  };
  const { has } = await openProject({ agents }, files, "tools");
  const own = ["agent.mjs", "parts.mjs", "early.mjs", "late.mjs", "bin/other", "bin/other.js"];
  for (const name of [...own, "tools/third-agent", "tools/claude-agent-acp"])
    expect([name, has(name)]).toEqual([name, true]);
  expect(has("fast.mjs")).toBe(false);
});

test("attack 33: what decides which code the next start runs is the host's, in the folder of the configuration and above it", async () => {
  const { has } = await openProject({ plugins: ["./plugins/dice.ts"] }, { "plugins/dice.ts": "" });
  const names = [
    ...["package.json", "node_modules", ".npmrc", "package-lock.json", "npm-shrinkwrap.json"],
    ...[".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml", "pnpm-lock.yaml"],
    ...[".yarnrc", ".yarnrc.yml", ".yarn", ".pnp.cjs", "yarn.lock", "bunfig.toml", "bun.lock", "tsconfig.json"],
  ];
  for (const name of names)
    for (const place of [name, `plugins/${name}`, `../${name}`]) expect([place, has(place)]).toEqual([place, true]);
  for (const place of ["notes.md", ".gitignore", "other/.npmrc"]) expect([place, has(place)]).toEqual([place, false]);
});

test("attack 33: Banyan itself is the host's, from source with its packages and what is installed for them, and so is Node", async () => {
  const { list } = await openProject({}, {});
  const repository = new URL("../../../../", import.meta.url).pathname;
  const found = list();
  for (const name of ["packages/cli", "packages/core", "plugins/telegram", "node_modules", "pnpm-lock.yaml"])
    expect([name, found.includes(join(repository, name))]).toEqual([name, true]);
  expect(found).toContain(realpathSync(process.execPath));
});
