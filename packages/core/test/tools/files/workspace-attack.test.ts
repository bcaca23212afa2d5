import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolDesk } from "../tool-desk.ts";

const CANARY = "canary-that-no-agent-may-see";
let desk: ToolDesk;

beforeEach(() => {
  desk = new ToolDesk();
  desk.write("secret.txt", CANARY);
  desk.write("workspace-beside/secret.txt", CANARY);
  desk.write("workspace/docs/a.md", "hello");
});
afterEach(() => desk.remove());

/** What both tools answer to a path. */
async function answersTo(path: string): Promise<string> {
  const read = await desk.call("read_file", { path });
  const listed = await desk.call("list_files", { dir: path });
  expect([read.isError, listed.isError]).toEqual([true, true]);
  return `${read.text}\n${listed.text}`;
}

describe("attack 13: paths that leave the workspace", () => {
  it.each([
    ["..", /leads outside/],
    ["../secret.txt", /leads outside/],
    ["docs/../../secret.txt", /leads outside/],
    ["./../workspace-beside/secret.txt", /leads outside/],
    ["../workspace/../secret.txt", /leads outside/],
    ["/etc/passwd", /absolute path/],
    ["//etc/passwd", /absolute path/],
    ["../nothing-there", /leads outside/],
    ["docs/a.md\0.png", /NUL/],
    ["x".repeat(5000), /invalid/],
    ["", /invalid/],
    ["..\\secret.txt", /nothing of that name/],
    ["~/secret.txt", /nothing of that name/],
    ["%2e%2e/secret.txt", /nothing of that name/],
    ["\ud800", /nothing of that name/],
  ])("%j", async (path, reason) => {
    const answers = await answersTo(path);
    expect(answers).toMatch(reason);
    expect(answers).not.toContain(CANARY);
    expect(answers).not.toContain(desk.outsideDir);
  });

  it("refuses an absolute path even to a file inside", async () => {
    expect(await answersTo(join(desk.workspaceDir, "docs/a.md"))).toMatch(/absolute path/);
  });

  it("takes `..` that stays inside, and shows the plain path", async () => {
    expect(await desk.call("read_file", { path: "docs/../docs/./a.md" })).toEqual({
      text: "[docs/a.md: bytes 0 to 5 of 5]\nhello",
      isError: false,
    });
  });
});

describe("attack 13: links", () => {
  it.each([
    ["to a file outside", "../secret.txt", "link"],
    ["to a directory outside", "..", "link/secret.txt"],
    ["to a sibling whose name begins alike", "../workspace-beside", "link/secret.txt"],
    ["to the root", "/", "link/etc/passwd"],
  ])("%s is refused", async (_name, target, path) => {
    symlinkSync(target, join(desk.workspaceDir, "link"));
    const answers = await answersTo(path);
    expect(answers).toMatch(/failed \(permission\).*goes through a link that leads outside/);
    expect(answers).not.toContain(CANARY);
  });

  it("over another link is refused as well", async () => {
    symlinkSync("..", join(desk.workspaceDir, "up"));
    symlinkSync("up/secret.txt", join(desk.workspaceDir, "innocent.txt"));
    expect(await answersTo("innocent.txt")).toMatch(/leads outside/);
  });

  it("tells the same about what is there outside and what is not", async () => {
    symlinkSync("..", join(desk.workspaceDir, "link"));
    const [there, missing] = [await answersTo("link/secret.txt"), await answersTo("link/missing.txt")];
    expect(missing.replaceAll("missing", "secret")).toBe(there);
    expect((await answersTo("link/secret.txt/below")).replaceAll("/below", "")).toBe(there);
  });

  it("inside is read, but neither followed nor counted in a listing", async () => {
    symlinkSync("docs/a.md", join(desk.workspaceDir, "link.md"));
    symlinkSync("..", join(desk.workspaceDir, "docs/circle"));
    symlinkSync("../..", join(desk.workspaceDir, "docs/out"));
    expect((await desk.call("read_file", { path: "link.md" })).text).toContain("hello");
    expect((await desk.call("list_files", { dir: "." })).text.split("\n")).toEqual([
      "docs/",
      "docs/a.md\t5",
      "docs/circle@",
      "docs/out@",
      "link.md@",
    ]);
  });

  it("that lead in a circle or nowhere are an error", async () => {
    symlinkSync("circle", join(desk.workspaceDir, "circle"));
    symlinkSync("nowhere", join(desk.workspaceDir, "dangling"));
    expect(await answersTo("circle")).toMatch(/circle/);
    expect(await answersTo("dangling")).toMatch(/nothing of that name/);
  });

  it("may be the workspace's own path", async () => {
    symlinkSync("workspace", join(desk.outsideDir, "alias"));
    desk.scope = { ...desk.scope, workspaceDir: join(desk.outsideDir, "alias") };
    expect((await desk.call("read_file", { path: "docs/a.md" })).text).toContain("hello");
    expect(await answersTo("../secret.txt")).toMatch(/leads outside/);
  });
});

describe("what is no file", () => {
  it("a pipe is refused without waiting for a writer, and not listed", async () => {
    execFileSync("mkfifo", [join(desk.workspaceDir, "docs/pipe")]);
    expect(await answersTo("docs/pipe")).toMatch(/failed \(permission\): it is a pipe/);
    expect((await desk.call("list_files", { dir: "docs" })).text).toBe(
      "docs/a.md\t5\n[skipped: 1 pipe, socket or device]",
    );
  });

  it("a socket is refused", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(desk.workspaceDir, "s"), resolve));
    expect(await answersTo("s")).toMatch(/failed \(permission\): it is a pipe, socket/);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("blocked paths", () => {
  beforeEach(() => {
    desk.write("workspace/state/db/data.sqlite", CANARY);
    desk.write("workspace/statement.txt", "open");
    desk.scope = { ...desk.scope, blockedPaths: [join(desk.workspaceDir, "state")] };
  });

  it.each(["state", "state/db", "state/db/data.sqlite", "docs/../state/db/data.sqlite", "state/nothing"])(
    "%s is kept from tools",
    async (path) => {
      const answers = await answersTo(path);
      expect(answers).toMatch(/failed \(permission\).*kept from tools/);
      expect(answers).not.toContain(CANARY);
    },
  );

  it("are not reached through a link", async () => {
    symlinkSync("../state/db", join(desk.workspaceDir, "docs/data"));
    expect(await answersTo("docs/data/data.sqlite")).toMatch(/kept from tools/);
  });

  it("count where they lie, whatever link names them", async () => {
    symlinkSync("workspace/state", join(desk.outsideDir, "state-link"));
    desk.scope = { ...desk.scope, blockedPaths: [join(desk.outsideDir, "state-link")] };
    expect(await answersTo("state/db/data.sqlite")).toMatch(/kept from tools/);
  });

  it("are left out of a listing, and what begins alike is not", async () => {
    expect((await desk.call("list_files", { dir: "." })).text.split("\n")).toEqual([
      "docs/",
      "docs/a.md\t5",
      "statement.txt\t4",
      "[skipped: 1 kept from tools]",
    ]);
  });

  it("may hold the whole workspace, and then nothing is shown", async () => {
    desk.scope = { ...desk.scope, blockedPaths: [desk.outsideDir] };
    expect(await answersTo(".")).toMatch(/kept from tools/);
  });
});

it("a missing workspace is the operator's matter", async () => {
  desk.scope = { ...desk.scope, workspaceDir: join(desk.outsideDir, "gone") };
  expect(await answersTo("a.md")).toMatch(/failed \(resource\): the workspace is missing/);
});

it("a directory is no file, and a file no directory", async () => {
  mkdirSync(join(desk.workspaceDir, "docs/sub"));
  linkSync(join(desk.workspaceDir, "docs/a.md"), join(desk.workspaceDir, "docs/b.md"));
  expect((await desk.call("read_file", { path: "docs/sub" })).text).toMatch(/it is a directory; use list_files/);
  expect((await desk.call("list_files", { dir: "docs/b.md" })).text).toMatch(/it is no directory; use read_file/);
});
