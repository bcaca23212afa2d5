import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createExecTool } from "../../../src/tools/exec/exec-tool.ts";
import { findExposedPath } from "../../../src/tools/files/workspace-path.ts";
import { ToolDesk } from "../tool-desk.ts";

const CANARY = "canary-that-no-agent-may-see";
let desk: ToolDesk;

beforeEach(() => {
  desk = new ToolDesk();
});
afterEach(() => desk.remove());

describe("a path that an agent gives", () => {
  beforeEach(() => {
    desk.write("secret.txt", CANARY);
    desk.write("workspace-beside/secret.txt", CANARY);
    desk.write("workspace/docs/a.md", "hello");
  });

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
});

describe("a path that is open to a session", () => {
  const OPEN = ".banyan/run-1";

  beforeEach(() => {
    desk.write("workspace/.banyan/token", CANARY);
    desk.write("workspace/.banyan/run-2/b.md", CANARY);
    desk.write(`workspace/${OPEN}/a.md`, "given");
    const at = (path: string) => join(desk.workspaceDir, path);
    desk.scope = { ...desk.scope, blockedPaths: [at(".banyan")], openPaths: [at(OPEN)] };
  });

  const readFile = async (path: string) => (await desk.call("read_file", { path })).text;
  const listFiles = async (dir: string) => (await desk.call("list_files", { dir })).text;

  it("a session reads and lists the files it was given, though they lie in what is blocked", async () => {
    expect(await readFile(`${OPEN}/a.md`)).toContain("given");
    expect(await listFiles(OPEN)).toContain("a.md\t5");
  });

  describe("attack 13: a folder that is open in what is blocked", () => {
    it.each([".banyan", ".banyan/token", ".banyan/run-2", ".banyan/run-2/b.md", `${OPEN}/../token`, ".banyan/run-1x"])(
      "opens nothing beside it: %s",
      async (path) => {
        expect(await readFile(path)).toContain("is kept from tools");
        expect(await listFiles(path)).toContain("is kept from tools");
      },
    );

    it.each(["token", "run-2/b.md"])("opens nothing through a link in it: %s", async (path) => {
      symlinkSync(join(desk.workspaceDir, ".banyan", path), join(desk.workspaceDir, OPEN, "link"));
      expect(await readFile(`${OPEN}/link`)).toContain("is kept from tools");
    });

    it.each([".", "run-2"])("opens nothing where a link to %s has taken its place", async (target) => {
      renameSync(join(desk.workspaceDir, OPEN), join(desk.workspaceDir, "moved"));
      symlinkSync(join(desk.workspaceDir, ".banyan", target), join(desk.workspaceDir, OPEN));
      for (const path of [`${OPEN}/token`, `${OPEN}/b.md`, `${OPEN}/run-2/b.md`, ".banyan/token"]) {
        expect(await readFile(path)).not.toContain(CANARY);
      }
      expect(await listFiles(OPEN)).toContain("is kept from tools");
    });

    it("opens nothing where a link stands above it", async () => {
      renameSync(join(desk.workspaceDir, ".banyan"), join(desk.workspaceDir, "state"));
      mkdirSync(join(desk.workspaceDir, "state", "run-3"));
      symlinkSync(join(desk.workspaceDir, "state"), join(desk.workspaceDir, ".banyan"));
      expect(await readFile(`${OPEN}/a.md`)).toContain("is kept from tools");
    });
  });
});

describe("what no workspace may hold where programs run", () => {
  beforeEach(() => {
    desk.write("workspace/notes.md", "the well is deep");
    desk.write("state/db/data.sqlite", "");
  });

  function find(...own: readonly string[]): Promise<string | undefined> {
    return findExposedPath(
      desk.workspaceDir,
      own.map((path) => join(desk.outsideDir, path)),
    );
  }

  it.each([
    ["in it", "workspace/state", "state"],
    ["deep in it, before it exists", "workspace/bot/plugins/lazy.ts", "bot/plugins/lazy.ts"],
    ["the workspace itself", "workspace", "."],
    ["above it", ".", "."],
    ["beside it", "state", undefined],
    ["beside it, with a name that begins alike", "workspace-of-the-host", undefined],
  ])("attack 33: a part of the gateway is found in a workspace: %s", async (_where, path, found) => {
    expect(await find("elsewhere", path)).toBe(found);
  });

  it("attack 33: a link hides no part of the gateway, whether it leads in, out or to the workspace", async () => {
    symlinkSync("workspace/inner", join(desk.outsideDir, "way-in"));
    symlinkSync("../state", join(desk.workspaceDir, "way-out"));
    symlinkSync("workspace", join(desk.outsideDir, "alias"));
    desk.write("workspace/inner/plugin.ts", "");
    expect(await find("way-in")).toBe("inner");
    expect(await find("way-in/plugin.ts")).toBe("inner/plugin.ts");
    // A person who can replace the link decides what the host finds.
    expect(await find("workspace/way-out")).toBe("way-out");
    expect(await find("alias/way-out")).toBe("way-out");
    expect(await findExposedPath(join(desk.outsideDir, "alias"), [join(desk.workspaceDir, "inner")])).toBe("inner");
  });

  it("attack 33: code of the host that comes while a person thinks about a program keeps it from running", async () => {
    let hostCode: readonly string[] = [];
    const clock = { now: () => 0, monotonic: () => 0, schedule: () => () => undefined };
    const log = { warn: () => undefined };
    desk.tools = [createExecTool({ clock, log, scrub: (text) => text, createUuid: () => "mark", env: process.env })];
    desk.scope = {
      ...desk.scope,
      policies: [{ ask: ["exec"] }],
      listReadOnlyPaths: () => hostCode,
      ask: async ({ choices }) => {
        hostCode = [join(desk.workspaceDir, "plugin.ts")];
        const choice = choices.find(({ isAllowing }) => isAllowing);
        return choice === undefined ? { kind: "denied", why: "nobody" } : { kind: "chosen", choice };
      },
    };
    const { text } = await desk.call("exec", { argv: ["touch", "made.txt"] });
    expect(text).toMatch(/^exec failed \(permission\): the workspace holds "plugin\.ts", which no program may reach/);
  });
});
