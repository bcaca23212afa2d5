import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listSwitches } from "../../src/config/shapes/channel-manifest.ts";
import { parsePluginManifest, readPluginManifests } from "../../src/plugins/plugin-manifest.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "banyan-manifest-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FERRY = {
  channel: "ferry",
  senderId: "^\\d+$",
  chatId: "^-?\\d+$",
  guildId: "^\\d+$",
  env: { FERRY_TOKEN: { key: "token", switchesOn: true, secret: true }, FERRY_URL: { key: "url" } },
};

async function writePackage(path: string, content: unknown): Promise<void> {
  const file = join(folder, path, "package.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
  await writeFile(join(folder, path, "index.js"), "throw new Error('a manifest is read without importing');");
}

it("reads the manifests of packages and files, importing none", async () => {
  await writePackage("node_modules/banyan-channel-ferry", { name: "banyan-channel-ferry", banyan: FERRY });
  await writePackage("node_modules/@acme/banyan-channel-gull", {
    name: "@acme/banyan-channel-gull",
    banyan: { channel: "gull" },
  });
  await writePackage("own", { name: "own", banyan: { channel: "own" } });
  const names = ["ferry", "@acme/banyan-channel-gull", "./own/index.js", "not-installed", "../../../../no/file.ts"];
  const manifests = readPluginManifests(names, join(folder, "banyan.config.ts"));
  expect(manifests.map((manifest) => [manifest.package, manifest.channel])).toEqual([
    ["banyan-channel-ferry", "ferry"],
    ["@acme/banyan-channel-gull", "gull"],
    ["own", "own"],
  ]);
});

it("fills in what a manifest leaves open", () => {
  const manifest = parsePluginManifest({ name: "banyan-channel-ferry", banyan: FERRY }, "ferry");
  expect(manifest).toEqual({
    package: "banyan-channel-ferry",
    channel: "ferry",
    senderId: /^\d+$/u,
    chatId: /^-?\d+$/u,
    guildId: /^\d+$/u,
    env: {
      FERRY_TOKEN: { key: "token", switchesOn: true, secret: true, list: false },
      FERRY_URL: { key: "url", switchesOn: false, secret: false, list: false },
    },
  });
  expect(manifest && listSwitches(manifest)).toEqual(["FERRY_TOKEN"]);
});

it.each([[{}], [{ name: "x" }], [null], ["text"]])("finds no manifest in %j", (packageJson) => {
  expect(parsePluginManifest(packageJson, "x")).toBeUndefined();
});

it.each([
  [{ channel: "Ferry" }, "banyan.channel: not a channel id"],
  [{ channel: "dm" }, "banyan.channel: not a channel id"],
  [{ channel: "ferry", env: { FERRY_TOKEN: {} } }, "banyan.env.FERRY_TOKEN.key"],
  [{ channel: "ferry", env: { "no name": { key: "x" } } }, "banyan.env.no name"],
  [{ channel: "ferry", senderId: "(" }, "banyan.senderId: not a regular expression"],
  [{ channel: "ferry", chatId: 5 }, "banyan.chatId: "],
  [{ channel: "ferry", guildId: "(" }, "banyan.guildId: "],
])("refuses the manifest %j", (banyan, said) => {
  expect(() => parsePluginManifest({ banyan }, "ferry")).toThrow(
    expect.objectContaining({ code: "plugin_invalid", message: expect.stringContaining(said) }),
  );
});
