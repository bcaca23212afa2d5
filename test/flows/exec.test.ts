import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callControl } from "@banyan/core";
import { expect, test } from "vitest";
import { openWorkshop } from "../stage/tool-worker.ts";

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

test("each call is counted by how it ended", async () => {
  const { grove, ada } = await openWorkshop({ exec: true });
  await ada.says('exec {"command":"ls notes.md"}');
  await ada.hears(/exit code 0/);
  await ada.says('exec {"command":"ls nothing.md"}');
  await ada.hears(/exit code [12]/);
  await ada.says('exec {"command":"sudo ls"}');
  await ada.hears(/dangerous command/);
  await ada.says("exec {}");
  await ada.hears(/give either command or argv/);
  expect(await callControl(grove.stateDir, "status")).toMatchObject({ tools: { done: 1, failed: 1, refused: 2 } });
});

test("without a word of the configuration there is no exec", async () => {
  const { grove, ada } = await openWorkshop({});
  await ada.says('exec {"command":"ls"}');
  await ada.hears(/exec failed \(refused\): there is no such tool for you\. Your tools are .*write_file/);
  const audit = await grove.read((read) => read.audit({ limit: 10 }));
  expect(audit.map(({ action }) => action)).toEqual(["tool-refused"]);
});

test("a person is asked before a program runs, and what they allow is run once", async () => {
  const { ada, workspace } = await openWorkshop({ exec: true, ask: ["exec"] });
  await ada.says('exec {"argv":["touch","made.txt"]}');
  await ada.hears(/wants to use `?exec/);
  expect(existsSync(join(workspace, "made.txt"))).toBe(false);
  await ada.says("/answer allow");
  await ada.hears(/exit code 0/);
  expect(existsSync(join(workspace, "made.txt"))).toBe(true);
  await ada.says('exec {"argv":["touch","never.txt"]}');
  await ada.hears(/never\.txt/);
  await ada.says("/answer deny");
  await ada.hears(/the person who was asked said no/);
  expect(existsSync(join(workspace, "never.txt"))).toBe(false);
});

test("an agent writes a file of its workspace", async () => {
  const { grove, ada } = await openWorkshop({});
  await ada.says('write_file {"path":"garden/plan.md","content":"dig here"}');
  await ada.hears(/\[garden\/plan\.md: 8 bytes\]/);
  expect(readFileSync(join(grove.folder, "garden/plan.md"), "utf8")).toBe("dig here");
});

test("/stop ends a program with all that it started", async () => {
  const { grove, ada, workspace } = await openWorkshop({ exec: true });
  const source = `
    const child = require("node:child_process").spawn("sleep", ["600"]);
    require("node:fs").writeFileSync("pids.txt", process.pid + " " + child.pid);`;
  await ada.says(`exec ${JSON.stringify({ argv: ["node", "-e", source] })}`);
  const file = join(workspace, "pids.txt");
  const pids = await grove.until("the program", () => {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return text.includes(" ") ? text.split(" ").map(Number) : undefined;
  });
  await ada.says("/stop");
  await ada.hears(/Stopped/);
  await grove.until("their end", () => (pids.some(isAlive) ? undefined : true));
  await grove.rests();
});

/** One that is dead and not taken leave of by whoever it was left to is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
