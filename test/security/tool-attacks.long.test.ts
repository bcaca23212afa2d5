import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HOUSE_SECRET, openWorkshop, type Workshop } from "../stage/tool-worker.ts";

const CANARY = "canary-that-no-agent-may-see";

/** Says to the agent what a hostile model would come upon, and gives its answer. */
async function tries({ ada }: Workshop, tool: string, args: object): Promise<string> {
  await ada.says(`${tool} ${JSON.stringify(args)}`);
  return (await ada.hears(/./)).text;
}

/** A folder beside the workspace, with something in it that nobody may see. */
function makeOutside({ grove }: Workshop): string {
  const outside = `${grove.folder}-outside`;
  mkdirSync(outside);
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, "secret.txt"), CANARY);
  return outside;
}

async function openTrap(tools: object = { exec: true }): Promise<Workshop> {
  const shop = await openWorkshop(tools, { config: {} });
  mkdirSync(join(shop.grove.folder, "docs"));
  return shop;
}

test("attack 1: a model that asks for tools it has not is refused each time, whatever it was told, and it stands in the audit", async () => {
  const shop = await openTrap({ allow: ["read_file"] });
  for (const tool of ["exec", "write_file", "sessions_spawn", "__proto__", "Read_File"])
    expect(await tries(shop, tool, { command: "id", path: "x" })).toMatch(
      /failed \(refused\): there is no such tool for you\. Your tools are read_file\./,
    );
  const rows = await shop.grove.read((read) => read.audit({ limit: 20 }));
  expect(rows.map(({ action }) => action)).toEqual(Array(5).fill("tool-refused"));
});

test("attack 13: neither a written file nor a program's argument leads out of the workspace, or into what is the host's", async () => {
  const shop = await openTrap();
  const { folder, stateDir } = shop.grove;
  const outside = makeOutside(shop);
  symlinkSync(outside, join(folder, "way-out"));
  symlinkSync(join(outside, "made.txt"), join(folder, "dangling"));
  for (const path of [
    "../x",
    "docs/../../x",
    join(outside, "x"),
    "way-out/x",
    "way-out/new/x",
    "state/x",
    ".banyan/x",
    "docs/.banyan/x",
    ".git/hooks/x",
    "banyan.config.json",
    ".env",
    "package.json",
    "node_modules/x.js",
    ".",
  ])
    expect([path, await tries(shop, "write_file", { path, content: "x" })]).toEqual([
      path,
      expect.stringMatching(/^write_file failed \((permission|error)\)/),
    ]);
  expect(await tries(shop, "write_file", { path: "dangling", content: "x" })).toMatch(/^write_file failed/);
  expect(await readdir(outside)).toEqual(["secret.txt"]);
  for (const argv of [
    ["cat", `${outside}/secret.txt`],
    ["cat", "way-out/secret.txt"],
    ["cat", "../../../etc/passwd"],
    ["head", "-c9", `--lines=/etc/passwd`],
    ["grep", "-f/etc/passwd", "notes.md"],
    ["cat", "/proc/self/environ"],
    ["ls", stateDir],
    ["ls", "state"],
    ["cat", "~/x"],
    ["curl", "file:///etc/passwd"],
    [`${outside}/x`],
    ["way-out/x"],
  ])
    expect([argv, await tries(shop, "exec", { argv })]).toEqual([
      argv,
      expect.stringMatching(/^exec failed \(permission\)/),
    ]);
  for (const cwd of ["..", "way-out", "/", "state", "notes.md"])
    expect(await tries(shop, "exec", { argv: ["ls"], cwd })).toMatch(/^exec failed \((permission|error)\)/);
});

test("attack 13: a program is given no part of how the gateway runs before a person has allowed it", async () => {
  const shop = await openTrap();
  const { ada, grove } = shop;
  mkdirSync(join(grove.folder, ".git"));
  for (const [from, to] of [
    ["notes.md", "./docs/../package.json"],
    ["notes.md", ".git/config"],
  ] as const) {
    await ada.says(`exec ${JSON.stringify({ argv: ["cp", from, to] })}`);
    await ada.hears(/wants to use `exec`/);
    await ada.says("/answer deny");
    await ada.hears(/exec failed \(permission\): the person who was asked said no/);
  }
  expect((await readdir(grove.folder)).toSorted()).toEqual(
    expect.not.arrayContaining(["banyan.config.ts", "package.json"]),
  );
  expect(await readdir(join(grove.folder, ".git"))).toEqual([]);
  // The configuration can hold tokens: it is given to no program at all.
  await ada.says('exec {"argv":["cp","notes.md","banyan.config.ts"]}');
  await ada.hears(/"banyan\.config\.ts" is kept from tools/);
  // Its own files it has without a word.
  await ada.says('exec {"argv":["cp","notes.md","docs/package.json"]}');
  await ada.hears(/^\[exit code 0/);
});

test("attack 13: a link that takes a folder's place between the check and the writing leads nowhere", async () => {
  const shop = await openTrap({ ask: ["write_file"] });
  const { folder } = shop.grove;
  const outside = makeOutside(shop);
  await shop.ada.says('write_file {"path":"garden/plan.md","content":"x"}');
  await shop.ada.hears(/wants to use/);
  // All checks but the last have looked by now.
  symlinkSync(outside, join(folder, "garden"));
  await shop.ada.says("/answer allow");
  await shop.ada.hears(/write_file failed \(permission\)/);
  expect(await readdir(outside)).toEqual(["secret.txt"]);
});

test("attack 1: a command line is one program: nothing is chained, substituted or piped", async () => {
  const shop = await openTrap();
  for (const command of [
    "ls; touch docs/made",
    "ls && touch docs/made",
    "ls | tee docs/made",
    "ls > docs/made",
    "echo $(touch docs/made)",
    "echo `touch docs/made`",
    "ls\ntouch docs/made",
    "ls & touch docs/made",
  ])
    expect(await tries(shop, "exec", { command })).toMatch(/^exec failed \(invalid\): .* there is no shell/);
  for (const argv of [
    ["sh", "-c", "touch docs/made"],
    ["/bin/sh", "-c", "touch docs/made"],
    ["env", "touch", "docs/made"],
    ["find", ".", "-exec", "touch", "docs/made", ";"],
  ])
    expect(await tries(shop, "exec", { argv })).toMatch(/^exec failed \(permission\)/);
  expect(existsSync(join(shop.grove.folder, "docs/made"))).toBe(false);
  // What a shell would read is a text to a program.
  expect(await tries(shop, "exec", { argv: ["echo", "$(touch docs/made); $HOME"] })).toContain(
    "$(touch docs/made); $HOME",
  );
});

test("attack 18: a program gets no secret of the gateway by its environment, and none that it finds is told", async () => {
  const shop = await openWorkshop(
    { exec: true },
    {
      config: { server: { port: 0, token: "the-token-of-the-house" } },
      files: { "found.txt": "it is the-token-of-the-house" },
    },
  );
  const printed = await tries(shop, "exec", {
    argv: [process.execPath.split("/").at(-1), "-p", "JSON.stringify(process.env)"],
  });
  expect(printed).toMatch(/exit code 0/);
  expect(printed).not.toContain(HOUSE_SECRET);
  expect(printed).not.toContain("TOKEN_OF_THE_HOUSE");
  expect(await tries(shop, "exec", { argv: ["cat", "found.txt"] })).not.toContain("the-token-of-the-house");
  const audit = await shop.grove.read((read) => read.audit({ limit: 20 }));
  expect(JSON.stringify(audit)).not.toContain("the-token-of-the-house");
});

test("attack 19: what a program starts ends with it, also what has left its group", async () => {
  const shop = await openTrap({ exec: true });
  const spread = `
    const { spawn, spawnSync } = require("node:child_process");
    for (let n = 0; n < 12; n += 1) spawn("sleep", ["600"], { detached: n % 2 === 0, stdio: "ignore" }).unref();
    spawnSync("sleep", ["600"]);`;
  const answer = await tries(shop, "exec", { argv: ["node", "-e", spread], timeoutSeconds: 2 });
  expect(answer).toMatch(/its time was over/);
  expect(await findProcesses(shop.grove.folder)).toEqual([]);
});

test("attack 32: output without end is bounded, in memory and in what the agent reads", async () => {
  const shop = await openTrap({ exec: true, boundaries: { outputLimitBytes: 2_000 } });
  const before = process.memoryUsage().rss;
  const answer = await tries(shop, "exec", { argv: ["yes", "flood"], timeoutSeconds: 1 });
  expect(answer).toMatch(/its time was over[\s\S]*\[left out here: \d+ of \d+ bytes\]/);
  expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(2_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  expect(await tries(shop, "write_file", { path: "big.txt", content: "x".repeat(200_000) })).toContain("200000 bytes");
  const narrow = await openTrap({ boundaries: { writeLimitBytes: 100 } });
  expect(await tries(narrow, "write_file", { path: "big.txt", content: "x".repeat(101) })).toMatch(
    /failed \(resource\)/,
  );
  expect(existsSync(join(narrow.grove.folder, "big.txt"))).toBe(false);
});

test("attack 18: the file with the tokens is shown to no tool", async () => {
  const shop = await openWorkshop({ exec: true }, { files: { ".env": `OTHER=${CANARY}` } });
  for (const [tool, args] of [
    ["read_file", { path: ".env" }],
    ["message", { files: [".env"] }],
    ["exec", { argv: ["cat", ".env"] }],
    ["exec", { argv: ["grep", "-f.env", "notes.md"] }],
  ] as const)
    expect(await tries(shop, tool, args)).toMatch(/failed \(permission\): "\.env" is kept from tools/);
});

test("attack 19: a strict agent starts no process, whatever its tools say", async () => {
  const main = { runtime: "scripted", default: true, sandbox: "strict", tools: { exec: true } };
  const shop = await openWorkshop({}, { config: { agents: { main } } });
  expect(await tries(shop, "exec", { command: "ls" })).toMatch(/there is no such tool for you/);
});

/** Processes of this machine that run in a workspace. */
async function findProcesses(workspace: string): Promise<readonly string[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const isOf = async (name: string) => {
    const [cwd, environment] = await Promise.all([
      readlink(`/proc/${name}/cwd`).catch(() => ""),
      readFile(`/proc/${name}/environ`, "latin1").catch(() => ""),
    ]);
    return cwd === realpathSync(workspace) && environment.includes("BANYAN_EXEC=");
  };
  const areOf = await Promise.all(names.map(isOf));
  return names.filter((_, at) => areOf[at]);
}
