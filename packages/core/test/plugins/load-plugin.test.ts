import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadPlugin, parsePlugin } from "../../src/plugins/load-plugin.ts";

let folder = "";
let from = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "banyan-plugin-"));
  from = join(folder, "banyan.config.ts");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const SOURCE = `export default {
  id: "ferry", apiVersion: 1,
  capabilities: { kinds: ["dm"], text: { limit: 400, measure: (source) => source.length }, threads: false, edits: false, delivery: "at-least-once" },
  config: { "~standard": { version: 1, vendor: "none", validate: (value) => ({ value }) } },
  connect: async () => ({ send: async () => ({}), close: async () => {} }),
};
`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function writePackage(name: string, more: object, entry: string): Promise<void> {
  await write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: "module", ...more }));
  await write(`node_modules/${name}/${entry}`, SOURCE);
}

it.each([
  ["a short name", "ferry", "banyan-channel-ferry", { exports: "./index.js" }, "index.js"],
  ["its full name", "banyan-channel-ferry", "banyan-channel-ferry", { main: "./main.js" }, "main.js"],
  [
    "a scope",
    "@acme/ferry",
    "@acme/ferry",
    { exports: { ".": { types: "./x.d.ts", default: "./dist/x.js" } } },
    "dist/x.js",
  ],
  ["an entry for imports alone", "ferry", "banyan-channel-ferry", { exports: { import: "./esm.js" } }, "esm.js"],
])("finds a plugin by %s from the configuration", async (_, name, packageName, more, entry) => {
  await writePackage(packageName, more, entry);
  expect((await loadPlugin(name, from)).id).toBe("ferry");
});

it("loads a file from the configuration's folder", async () => {
  await write("plugins/ferry.ts", SOURCE.replace("(source)", "(source: string)"));
  expect((await loadPlugin("./plugins/ferry.ts", from)).id).toBe("ferry");
});

it("says what to install when a plugin is not there", async () => {
  await expect(loadPlugin("gull", from)).rejects.toMatchObject({
    code: "plugin_unavailable",
    message: `Plugin gull is not installed; run npm install banyan-channel-gull in ${folder}`,
  });
});

it.each([
  ["./nowhere.ts", undefined, /there is no file .+nowhere\.ts/],
  [
    "./failing.ts",
    'import "gone-package/x";\nexport default {};\n',
    /importing it failed, received .*gone-package.*; run npm install gone-package in \//,
  ],
  ["./lost.ts", 'import "./gone.ts";\n', /received Cannot find module '.+gone\.ts' .*; correct the path there/],
  ["./nameless.ts", 'import { gone } from "node:path";\ngone;\n', /named 'gone'; import a name that this module has/],
  ["./enum.ts", "enum A { B }\n", /received TypeScript enum is not supported in strip-only mode; leave it out/],
  ["./throwing.ts", 'throw new Error("no luck");\n', /importing it failed, received no luck; correct it, or tell/],
])("says why %s cannot be loaded", async (name, text, said) => {
  if (text !== undefined) await write(name, text);
  await expect(loadPlugin(name, from)).rejects.toMatchObject({
    code: "plugin_unavailable",
    message: expect.stringMatching(said),
  });
});

const GOOD = {
  id: "ferry",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm"],
    text: { limit: 400, measure: () => 1 },
    threads: false,
    edits: false,
    delivery: "at-least-once",
  },
  config: { "~standard": { version: 1, vendor: "none", validate: () => ({ value: 1 }) } },
  connect: () => undefined,
};

it.each([
  [undefined, "its default export is no plugin, received nothing"],
  [
    { ...GOOD, apiVersion: 2 },
    "it is not made for version 1 of the contract, received the number 2; install a version of it for 1, or another Banyan",
  ],
  [{ ...GOOD, id: "dm" }, 'its id is not a channel id, received "dm"'],
  [{ ...GOOD, connect: undefined }, "connect is not a function, received nothing"],
  [{ ...GOOD, config: {} }, "config is not a Standard Schema, received an object"],
  [{ ...GOOD, capabilities: 1 }, "capabilities is not an object"],
  [
    { ...GOOD, capabilities: { ...GOOD.capabilities, kinds: ["room"] } },
    "capabilities.kinds is not a list of dm, group and channel",
  ],
  [
    { ...GOOD, capabilities: { ...GOOD.capabilities, text: { limit: 0 } } },
    "capabilities.text.limit is not a number above 0",
  ],
  [
    { ...GOOD, capabilities: { ...GOOD.capabilities, text: { limit: 1 } } },
    "capabilities.text.measure is not a function",
  ],
  [{ ...GOOD, capabilities: { ...GOOD.capabilities, edits: 1 } }, "capabilities.edits is not true or false"],
  [
    { ...GOOD, capabilities: { ...GOOD.capabilities, delivery: "once" } },
    "capabilities.delivery is none of effectively-once",
  ],
])("refuses the plugin %j", (plugin, said) => {
  expect(() => parsePlugin(plugin, "ferry")).toThrow(
    expect.objectContaining({ code: "plugin_invalid", message: expect.stringContaining(said) }),
  );
});

it("takes a plugin that has every member", () => {
  expect(parsePlugin(GOOD, "ferry").id).toBe("ferry");
});
