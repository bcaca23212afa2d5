import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkshop } from "../stage/tool-worker.ts";

const ALMANAC = new URL("../stage/almanac-plugin.ts", import.meta.url).pathname;

function openAlmanac(config: object = {}, tools: object = {}) {
  const agents = { main: { runtime: "scripted", default: true, tools } };
  return openWorkshop({}, { config: { agents, plugins: [{ package: ALMANAC, config }] } });
}

test("an agent uses the tools of a stranger's plugin, and its taps stand among the host's hooks", async () => {
  const { grove, ada } = await openAlmanac({ town: "Elm", closed: "list_files" });
  await ada.says('moon {"day":3}');
  await ada.hears("On day 3 the moon over Elm is full. So are the stars.");
  await ada.says('moon {"day":"three"}');
  await ada.hears(/^moon failed \(invalid\): day: .*number/);
  await ada.says('plant {"tree":"oak"}');
  await ada.hears("The oak stands.");
  await ada.says('plant {"tree":"iron"}');
  await ada.hears("Iron does not grow.");
  await ada.says('plant {"tree":"thorn"}');
  await ada.hears(/^plant failed \(error\): the tool is broken/);
  await ada.says('list_files {"dir":"."}');
  await ada.hears("list_files failed (refused): it is a holiday.");
  expect(readFileSync(join(grove.folder, "planted.txt"), "utf8")).toBe("oak\n");
  expect(grove.log.join("")).toContain("the thorn stings");
  const audit = await grove.read((read) => read.audit({ limit: 20 }));
  expect(audit.slice(2).map(({ action }) => action)).toEqual([
    "tool-refused",
    "tool-begun",
    "tool-done",
    "tool-begun",
    "tool-failed",
    "tool-begun",
    "tool-failed",
    "tool-refused",
  ]);
});

test("which agent may use them is the configuration's word", async () => {
  const { ada } = await openAlmanac({}, { deny: ["plant"] });
  await ada.says('plant {"tree":"oak"}');
  await ada.hears(/^plant failed \(refused\): there is no such tool for you/);
});

test.each<[string, string, object, RegExp]>([
  [
    "of the name of one that is there",
    '{ ...tool, name: "read_file" }',
    {},
    /received read_file, which is of Banyan itself/,
  ],
  ["without a name", '{ ...tool, name: "a b" }', {}, /a tool's name does not match/],
  ["whose schema is none", "{ ...tool, args: {} }", {}, /args of the tool dig is not a Standard Schema/],
  [
    "that cannot say its schema",
    "{ ...tool, parameters: undefined }",
    {},
    /has no JSON Schema, and parameters is missing/,
  ],
  [
    "that does not say whether it can be repeated",
    "{ ...tool, isRepeatable: undefined }",
    {},
    /isRepeatable of the tool dig/,
  ],
  // A timer of the system that is set so far ahead fires at once.
  ["without an end", "{ ...tool, timeoutMs: Infinity }", {}, /timeoutMs of the tool dig .* at most 86400000, received/],
  [
    "that gets a configuration and takes none",
    "tool",
    { key: "x" },
    /it takes no configuration, received the key "key"/,
  ],
])("a plugin with a tool %s is refused with a sentence", async (_what, tool, config, sentence) => {
  const source = `
    const args = { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } };
    const tool = { name: "dig", description: "Digs.", args, parameters: { type: "object" }, isRepeatable: true, run: () => "dug" };
    export default { kind: "tools", id: "own", apiVersion: 1, tools: [${tool}] };`;
  const opening = openWorkshop(
    {},
    { config: { plugins: [{ package: "./own.mjs", config }] }, files: { "own.mjs": source } },
  );
  await expect(opening).rejects.toMatchObject({ code: "plugin_invalid", message: expect.stringMatching(sentence) });
});

test("the configuration and the plugin of docs/tools.md work", async () => {
  const page = readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8");
  const [, json = "{}"] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const [, source = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const config: { agents: { main: object } } = JSON.parse(json);
  const agents = { main: { ...config.agents.main, runtime: "scripted" } };
  const files = { "dice.ts": source, "workspace/keys": "" };
  const { ada } = await openWorkshop({}, { config: { agents, plugins: ["./dice.ts"] }, files });
  await ada.says('roll_dice {"count":2}');
  await ada.hears(/^[1-6] \+ [1-6] = \d+$/);
  await ada.says('write_file {"path":"a.md","content":""}');
  await ada.hears(/^write_file failed \(permission\): "a\.md" may be read, not written\./);
  await ada.says('exec {"command":"git push origin"}');
  await ada.hears(/^exec failed \(permission\): "git" is not allowed/);
});
