import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type GroveOptions, openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

/** An agent that calls the tool it is told to, and says what came of it: `exec {"command":"ls"}`. */
function createWorker() {
  return createScriptedAgent((turn) => async () => {
    for (const { text } of turn.input.input) {
      const space = text.indexOf(" ");
      const { text: answer } = await turn.callTool(text.slice(0, space), JSON.parse(text.slice(space + 1)));
      await turn.say(answer);
    }
    return undefined;
  });
}

async function openWorkshop(tools: object, more: GroveOptions = {}) {
  const { runtimes } = createWorker();
  const main = { runtime: "scripted", default: true, tools };
  const config = { agents: { main } };
  const env = { PATH: process.env.PATH ?? "", TOKEN_OF_THE_HOUSE: "a-secret-of-the-house" };
  const grove = await openGrove({ runtimes, config, env, files: { "notes.md": "the well is deep" }, ...more });
  return { grove, ada: grove.web("ada") };
}

test("an agent that may run programs runs one in its workspace, and it stands in the audit", async () => {
  const { grove, ada } = await openWorkshop({ exec: true });
  await ada.says('exec {"command":"ls notes.md"}');
  await ada.hears(/\[exit code 0 after \d+\.\d s\]\nnotes\.md/);
  const audit = await grove.read((read) => read.audit({ limit: 10 }));
  expect(audit.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    "agent main tool-begun",
    "agent main tool-done",
  ]);
  expect(JSON.parse(audit[1]?.detail ?? "")).toMatchObject({ tool: "exec", args: '{"command":"ls notes.md"}' });
});

test("without a word of the configuration there is no exec", async () => {
  const { grove, ada } = await openWorkshop({});
  await ada.says('exec {"command":"ls"}');
  await ada.hears(/exec failed \(refused\): there is no such tool for you\. Your tools are .*write_file/);
  const audit = await grove.read((read) => read.audit({ limit: 10 }));
  expect(audit.map(({ action }) => action)).toEqual(["tool-refused"]);
});

test("a person is asked before a program runs, and what they allow is run once", async () => {
  const { grove, ada } = await openWorkshop({ exec: true, ask: ["exec"] });
  await ada.says('exec {"argv":["touch","made.txt"]}');
  await ada.hears(/wants to use `?exec/);
  expect(existsSync(join(grove.folder, "made.txt"))).toBe(false);
  await ada.says("/answer allow");
  await ada.hears(/exit code 0/);
  expect(existsSync(join(grove.folder, "made.txt"))).toBe(true);
  await ada.says('exec {"argv":["touch","never.txt"]}');
  await ada.hears(/never\.txt/);
  await ada.says("/answer deny");
  await ada.hears(/the person who was asked said no/);
  expect(existsSync(join(grove.folder, "never.txt"))).toBe(false);
});

test("an agent writes a file of its workspace", async () => {
  const { grove, ada } = await openWorkshop({});
  await ada.says('write_file {"path":"garden/plan.md","content":"dig here"}');
  await ada.hears(/\[garden\/plan\.md: 8 bytes\]/);
  expect(readFileSync(join(grove.folder, "garden/plan.md"), "utf8")).toBe("dig here");
});
