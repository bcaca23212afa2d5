import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Grove, makeGroveFolder, openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";

const BIN = new URL("../../packages/cli/src/bin.ts", import.meta.url).pathname;

/** What stands below a folder, with its mode. */
function listModes(folder: string): readonly (readonly [path: string, mode: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((file) => {
    const path = join(file.parentPath, file.name);
    const kind = file.isDirectory() ? "folder" : "file";
    return [`${kind} ${path.slice(folder.length + 1)}`, (statSync(path).mode & 0o777).toString(8)] as const;
  });
}

function expectPrivate(stateDir: string): void {
  for (const [what, mode] of listModes(stateDir)) {
    expect([what, mode]).toEqual([what, what.startsWith("folder") ? "700" : "600"]);
  }
}

test("attack 18: under umask 000 every file of a running gateway is its owner's alone, and so they stay", async () => {
  const folder = makeGroveFolder();
  const command = 'umask 000; exec "$0" "$@"';
  const child = spawn("/bin/sh", ["-c", command, process.execPath, BIN, "start"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    printed += text;
    if (/Ready in/.test(printed)) break;
  }
  const [, address] = /(http:\S+)/.exec(printed) ?? [];
  const url = new URL(address ?? "");
  const said = await fetch(new URL("/api/webchat/messages", url), {
    method: "POST",
    headers: { authorization: `Bearer ${url.searchParams.get("token")}` },
    body: '{"text":"hello"}',
  });
  expect(said.status).toBe(202);
  const stateDir = join(folder, "state");
  const running = listModes(stateDir).map(([what]) => what);
  expect(running).toEqual(
    expect.arrayContaining(["file banyan.db", "file banyan.db-wal", "file token", "file control.sock"]),
  );
  expectPrivate(stateDir);
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
  expect(listModes(stateDir).map(([what]) => what)).toEqual(
    expect.arrayContaining(["file agents/main/sessions.json", "folder agents/main/sessions"]),
  );
  expectPrivate(stateDir);
  expect(statSync(stateDir).mode & 0o777).toBe(0o700);
});

test("attack 18: a state directory from a careless copy is made private again at the next start", async () => {
  const grove = await openAnswered();
  await grove.stop();
  for (const entry of readdirSync(grove.stateDir, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  chmodSync(grove.stateDir, 0o777);
  await grove.restart();
  await grove.web("ada").says("again");
  await grove.web("ada").hears("heard: again");
  await grove.stop();
  expectPrivate(grove.stateDir);
  // Others may still see that it is there, and put nothing into it.
  expect(statSync(grove.stateDir).mode & 0o777).toBe(0o755);
});

test("attack 13: a state directory that is a link is used as any other", async () => {
  const grove = await openAnswered();
  await grove.stop();
  renameSync(grove.stateDir, join(grove.folder, "disk"));
  symlinkSync("disk", grove.stateDir);
  await grove.restart();
  await grove.web("ada").says("again");
  await grove.web("ada").hears("heard: again");
  await grove.stop();
  expect(statSync(join(grove.folder, "disk", "banyan.db")).isFile()).toBe(true);
});

/** What stood there before, moved aside, and a link to it in its place. */
function replaceByLink(grove: Grove, path: string): string {
  const place = join(grove.stateDir, path);
  const outside = join(grove.folder, "outside");
  if (existsSync(place)) renameSync(place, outside);
  else writeFileSync(outside, "not ours");
  symlinkSync(outside, place);
  return outside;
}

/** Everything below a path, so that a change of any of it shows. */
function readWhole(path: string): unknown {
  if (!statSync(path).isDirectory()) return readFileSync(path, "utf8");
  return Object.fromEntries(readdirSync(path).map((name) => [name, readWhole(join(path, name))]));
}

test.each([
  "agents",
  "agents/main",
  "agents/main/sessions",
  "agents/main/sessions.json",
  "agents/main/sessions.json.tmp",
  "readable.json.tmp",
  "a transcript",
  "banyan.pid",
])("attack 13: nothing is written through a link: %s", async (name) => {
  const grove = await openAnswered();
  await grove.stop();
  const sessions = "agents/main/sessions";
  const [file = ""] = readdirSync(join(grove.stateDir, sessions));
  const outside = replaceByLink(grove, name === "a transcript" ? `${sessions}/${file}` : name);
  const before = readWhole(outside);
  await grove.restart();
  await grove.web("ada").says("again");
  await grove.web("ada").hears("heard: again");
  await grove.stop();
  expect(readWhole(outside)).toEqual(before);
});

test.each(["banyan.db", "banyan.lock", "token"])(
  "attack 13: a link in the place of %s is refused, and what it names stays as it is",
  async (name) => {
    const grove = await openAnswered();
    await grove.stop();
    const outside = replaceByLink(grove, name);
    chmodSync(outside, 0o644);
    const before = readFileSync(outside);
    await expect(grove.restart()).rejects.toThrow(name === "token" ? /symbolic link/ : /no plain file; remove it/);
    expect(readFileSync(outside).equals(before)).toBe(true);
    expect(statSync(outside).mode & 0o777).toBe(0o644);
  },
);

test("attack 13: ids that climb stay below the state directory", async () => {
  const grove = await openGrove(createListener());
  const ids = ["../../../escaped", "..", "/etc/escaped", "a/../../escaped", "..\\escaped", "%2e%2e%2fescaped"];
  for (const id of ids) {
    await grove.web(id).says("hello");
    await grove.web(id).hears("heard: hello");
  }
  await grove.stop();
  const outside = readdirSync(grove.folder).filter(
    (name) => !["node_modules", "banyan.config.json", "state"].includes(name),
  );
  expect(outside).toEqual([]);
  expect(readdirSync(join(grove.stateDir, "agents"))).toEqual(["main"]);
  expect(readdirSync(join(grove.stateDir, "agents", "main", "sessions"))).toHaveLength(ids.length);
});

async function openAnswered(): Promise<Grove> {
  const grove = await openGrove(createListener());
  await grove.web("ada").says("hello");
  await grove.web("ada").hears("heard: hello");
  await grove.rests();
  return grove;
}
