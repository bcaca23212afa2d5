import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { callControl } from "../../src/control/control-client.ts";
import {
  type ControlOperations,
  openControlSocket,
  resolveControlSocketPath,
} from "../../src/control/control-socket.ts";
import { BanyanError } from "../../src/ports/errors.ts";

function makeStateDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "banyan-control-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Below a path that is too long for a socket address. */
function makeDeepStateDir(): string {
  const dir = join(makeStateDir(), "d".repeat(120));
  mkdirSync(dir);
  return dir;
}

async function open(stateDir: string, operations: ControlOperations) {
  const socket = await openControlSocket(stateDir, operations);
  onTestFinished(() => socket.close());
  return socket;
}

const codeOf = (error: unknown) => (error instanceof BanyanError ? error.code : undefined);

describe("the path", () => {
  it("is control.sock in the state directory, as long as a socket address can hold it", () => {
    expect(resolveControlSocketPath("/srv/banyan")).toBe("/srv/banyan/control.sock");
    const longest = `/${"x".repeat(100 - "/control.sock".length - 1)}`;
    expect(resolveControlSocketPath(longest)).toBe(`${longest}/control.sock`);
    expect(resolveControlSocketPath(`${longest}x`)).not.toContain(longest);
  });

  it("counts bytes, not characters", () => {
    expect(resolveControlSocketPath(`/${"ü".repeat(45)}`)).not.toContain("ü");
  });

  it("is else a short name of the user's own, one for each directory", () => {
    const paths = ["a", "b", "a"].map((end) => resolveControlSocketPath(`/${"x".repeat(200)}${end}`));
    expect(paths[0]).toBe(paths[2]);
    expect(paths[0]).not.toBe(paths[1]);
    for (const path of paths) {
      expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100);
      expect(basename(dirname(path))).toBe(`banyan-${process.getuid?.() ?? 0}`);
    }
  });
});

it("a stand-in folder in which others may write is refused", async () => {
  const stateDir = makeDeepStateDir();
  vi.stubEnv("TMPDIR", makeStateDir());
  onTestFinished(() => void vi.unstubAllEnvs());
  const shared = dirname(resolveControlSocketPath(stateDir));
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  await expect(openControlSocket(stateDir, {})).rejects.toThrow(/other users can write there/);
});

describe.each([
  ["an ordinary directory", makeStateDir],
  ["a very deep directory", makeDeepStateDir],
])("in %s", (_name, makeDir) => {
  it("an operation gets its arguments and gives its result, as JSON", async () => {
    const dir = makeDir();
    await open(dir, { echo: async (args) => ({ got: args }), nothing: async () => undefined });
    expect(await callControl(dir, "echo", { id: "grün", list: [1, null] })).toEqual({
      got: { id: "grün", list: [1, null] },
    });
    expect(await callControl(dir, "echo")).toEqual({ got: {} });
    expect(await callControl(dir, "nothing")).toBeNull();
  });

  it("the socket is its owner's alone", async () => {
    const dir = makeDir();
    await open(dir, {});
    expect(statSync(resolveControlSocketPath(dir)).mode & 0o777).toBe(0o600);
  });

  it("a socket that a dead process left is replaced, and a closed one is gone", async () => {
    const dir = makeDir();
    mkdirSync(dirname(resolveControlSocketPath(dir)), { recursive: true });
    writeFileSync(resolveControlSocketPath(dir), "left");
    const socket = await openControlSocket(dir, { ping: async () => "pong" });
    expect(await callControl(dir, "ping")).toBe("pong");
    await socket.close();
    expect(existsSync(resolveControlSocketPath(dir))).toBe(false);
    expect(codeOf(await callControl(dir, "ping").catch((error: unknown) => error))).toBe("control_unavailable");
  });
});

describe("the client", () => {
  it("is told the sentence with which the gateway refuses", async () => {
    const dir = makeStateDir();
    const refusing = async () => {
      throw new BanyanError("session_not_found", "A session was looked up: there is none; look again");
    };
    const odd = async () => Promise.reject(new Error("plain"));
    await open(dir, { refusing, odd });
    await expect(callControl(dir, "refusing")).rejects.toThrow("A session was looked up: there is none; look again");
    await expect(callControl(dir, "odd")).rejects.toThrow("plain");
  });

  it.each(["unknown", "__proto__", "constructor", "toString"])(
    "is told that the operation %s is not known",
    async (name) => {
      const dir = makeStateDir();
      await open(dir, { ping: async () => "pong" });
      await expect(callControl(dir, name)).rejects.toThrow(
        `The running gateway knows no ${name}; is it an older version?`,
      );
    },
  );

  it("says what to do when no gateway runs", async () => {
    const dir = makeStateDir();
    await expect(callControl(dir, "ping")).rejects.toMatchObject({
      code: "control_unavailable",
      message: `The gateway on ${dir} was called: none answers; start one with banyan start`,
    });
  });

  it("does not wait for ever when the gateway ends meanwhile", async () => {
    const dir = makeStateDir();
    const reached = Promise.withResolvers<void>();
    const hanging = () => {
      reached.resolve();
      return new Promise<never>(() => undefined);
    };
    const socket = await open(dir, { hanging });
    const call = callControl(dir, "hanging").catch(codeOf);
    await reached.promise;
    await socket.close();
    expect(await call).toBe("control_unavailable");
  });
});

describe("opening", () => {
  it("says why it cannot", async () => {
    const dir = makeStateDir();
    mkdirSync(join(dir, "control.sock", "x"), { recursive: true });
    await expect(openControlSocket(dir, {})).rejects.toThrow();
  });
});
