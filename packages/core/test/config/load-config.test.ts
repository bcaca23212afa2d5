import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { defineConfig } from "../../src/config/shapes/define-config.ts";
import { FERRY } from "./written-config.ts";

const LOAD_CONFIG = new URL("../../src/config/load-config.ts", import.meta.url).href;

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "banyan-config-"));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

it("starts without a file", async () => {
  const { config, file, folder } = await loadConfig({ cwd, env: {} });
  expect(file).toBeUndefined();
  expect(folder).toBe(cwd);
  expect(config.stateDir).toBe(join(cwd, ".banyan"));
});

it("finds banyan.config.ts before banyan.config.json, imported by node itself", async () => {
  await writeFile(join(cwd, "banyan.config.json"), '{ "server": { "port": 1 } }');
  expect((await loadConfig({ cwd, env: {} })).config.server.port).toBe(1);
  await writeFile(join(cwd, "banyan.config.ts"), "const port: number = 2;\nexport default { server: { port } };\n");
  const { config, file } = await loadConfig({ cwd, env: {} });
  expect(config.server.port).toBe(2);
  expect(file).toBe(join(cwd, "banyan.config.ts"));
});

it("takes the file that --config names, and starts its folders there", async () => {
  await writeFile(join(cwd, "other.json"), '{ "stateDir": "state" }');
  const { config } = await loadConfig({ file: join(cwd, "other.json"), cwd: "/", env: {} });
  expect(config.stateDir).toBe(join(cwd, "state"));
});

it("asks for the manifests of the plugins that are named, from the file", async () => {
  await writeFile(join(cwd, "banyan.config.json"), '{ "plugins": ["irc", { "package": "./ferry.ts" }, 3] }');
  const asked: unknown[] = [];
  const readManifests = (names: readonly string[], from: string) => {
    asked.push(names, from);
    return [FERRY];
  };
  await expect(loadConfig({ cwd, env: {}, readManifests })).rejects.toThrow("plugins[2]");
  expect(asked).toEqual([["irc", "./ferry.ts"], join(cwd, "banyan.config.json")]);
});

it("switches a channel on by its variable without a file", async () => {
  const { config, manifests } = await loadConfig({ cwd, env: { FERRY_TOKEN: "token" }, readManifests: () => [FERRY] });
  expect(Object.keys(config.channels)).toEqual(["ferry"]);
  expect(manifests).toEqual([FERRY]);
});

it.each([
  ["a file that is not there", "nope.json", undefined, /No such file/],
  ["JSON with a mistake", "a.json", '{ "token": "hunter22" "x": 1 }', /Invalid JSON at line 1, column 23\.$/],
  ["JSON with a bare word", "b.json", '{\n  "token": hunter22 }', /Invalid JSON at line 2, column 12\.$/],
  ["JSON that ends too early", "k.json", '{ "token":\n', /Invalid JSON at line 2, column 1\.$/],
  ["an empty file", "c.json", "", /The file is empty\.$/],
  [
    "a module without a default export",
    "e.ts",
    "export const token = 'hunter22';\n",
    /No default export; write export default/,
  ],
  ["a module that fails", "f.ts", 'throw new Error("no luck");\n', /Running it failed: no luck; correct what/],
  [
    "a module with a wrong path",
    "h.ts",
    'import "./nowhere.ts";\nexport default { token: "hunter22" };\n',
    /: Cannot find module '.+nowhere\.ts' imported from .+h\.ts; correct the path there/,
  ],
  [
    "a module without a package",
    "i.ts",
    'import "gone-package";\nexport default { token: "hunter22" };\n',
    /: Cannot find package 'gone-package' imported from .+i\.ts; run npm install gone-package in \//,
  ],
  [
    "a name that a module lacks",
    "j.ts",
    'import { gone } from "node:path";\nexport default { token: "hunter22", gone };\n',
    /: The requested module 'node:path' does not provide an export named 'gone'; import a name that this/,
  ],
  ["a file that is too large", "g.json", `"${"x".repeat(1024 * 1024)}"`, /Larger than 1048576 bytes/],
])("refuses %s without quoting it", async (_, name, text, said) => {
  if (text !== undefined) await writeFile(join(cwd, name), text);
  const failure = await loadConfig({ file: name, cwd, env: {} }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "config_unreadable", message: expect.stringMatching(said) });
  expect(inspect(failure, { depth: 10 })).not.toContain("hunter22");
});

it("refuses TypeScript with a mistake without quoting it", async () => {
  await writeFile(join(cwd, "banyan.config.ts"), 'export default {\n  token: "hunter22",,\n};\n');
  // In a process of its own, because vitest reads TypeScript by other means than node.
  const script = `const { loadConfig } = await import(${JSON.stringify(LOAD_CONFIG)});
    await loadConfig({ cwd: ${JSON.stringify(cwd)}, env: {} }).catch((error) => console.log(error));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(stdout).toContain("Invalid TypeScript at line 2.");
  expect(stdout).toContain("config_unreadable");
  expect(stdout).not.toContain("hunter22");
});

it("gives a configuration file its types and nothing else", () => {
  const input = { agents: { main: { runtime: "echo" } } };
  expect(defineConfig(input)).toBe(input);
});
