import { ChannelError, type ThreadsAbility } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import {
  closeSpawnThread,
  renameSpawnThread,
  type ThreadHost,
  withdrawSpawnThread,
} from "../../src/bindings/close-spawn-thread.ts";
import { createTestPorts } from "../ports/test-ports.ts";
import { GROVE, threadOf } from "./spawning-run.ts";

const ADDRESS = threadOf("7");
const THREAD = { bindingId: "b1", address: ADDRESS, name: "census", outcome: "done" } as const;

function createDesk(
  answer: () => Promise<void> = async () => undefined,
  { isConnected = true, canRename = true } = {},
) {
  const ports = createTestPorts();
  const calls: unknown[] = [];
  const call = async (what: unknown) => {
    calls.push(what);
    await answer();
  };
  const threads: ThreadsAbility = {
    open: () => Promise.reject(new Error("nothing is opened here")),
    withdraw: (request) => call({ withdraw: request }),
    archive: (request) => call({ archive: request }),
    ...(canRename ? { rename: (request) => call({ rename: request }) } : {}),
    probe: () => Promise.reject(new Error("nothing is looked at here")),
  };
  const host: ThreadHost = { ...ports, findThreads: () => (isConnected ? threads : undefined) };
  return { ports, calls, host };
}

const all = (host: ThreadHost) =>
  Promise.all([
    closeSpawnThread(THREAD, host),
    renameSpawnThread(THREAD, host),
    withdrawSpawnThread({ bindingId: "b1", parent: GROVE }, host),
  ]);

describe("the end of a thread", () => {
  it("is told to the platform, with how it ended; without an end the name stays", async () => {
    const { calls, host, ports } = createDesk();
    expect(await closeSpawnThread(THREAD, host)).toBe("done");
    expect(ports.clock.waiting).toBe(0);
    const { outcome: _, ...aged } = THREAD;
    expect(await closeSpawnThread(aged, host)).toBe("done");
    const place = { bindingId: "b1", address: ADDRESS };
    expect(calls).toEqual([
      {
        archive: {
          ...place,
          name: "✅ census",
          outcome: "done",
          goodbye: "✅ “census” is done and has left this thread.",
        },
      },
      { archive: { ...place, goodbye: "🍂 The sub-agent has left this thread." } },
    ]);
  });

  it("that stays open shows in its name how the run ended, where the platform can rename", async () => {
    const { calls, host } = createDesk();
    expect(await renameSpawnThread({ ...THREAD, outcome: "killed" }, host)).toBe("done");
    expect(calls).toEqual([{ rename: { address: ADDRESS, name: "⏹ census", outcome: "killed" } }]);
    const without = createDesk(undefined, { canRename: false });
    expect(await renameSpawnThread(THREAD, without.host)).toBe("done");
    expect(without.calls).toEqual([]);
  });

  it("takes back what a spawn left that was cut off", async () => {
    const { calls, host } = createDesk();
    expect(await withdrawSpawnThread({ bindingId: "b1", parent: GROVE }, host)).toBe("done");
    expect(calls).toEqual([{ withdraw: { bindingId: "b1", parent: GROVE } }]);
  });

  it("is there on a channel without threads, where nothing can stand open", async () => {
    const { host, ports } = createDesk();
    const desk: ThreadHost = { ...host, findThreads: () => "none" };
    expect(await all(desk)).toEqual(["done", "done", "done"]);
    expect(ports.clock.waiting).toBe(0);
  });

  it("is told to be gone where the platform says so of thread or chat", async () => {
    for (const errorClass of ["thread_gone", "chat_gone"] as const) {
      const { ports, host } = createDesk(() => Promise.reject(new ChannelError(errorClass, "It is gone")));
      expect(await all(host)).toEqual(["gone", "gone", "gone"]);
      expect(ports.logged).toEqual([]);
    }
  });

  it("waits while the account is not connected", async () => {
    const { calls, host } = createDesk(undefined, { isConnected: false });
    expect(await all(host)).toEqual(["absent", "absent", "absent"]);
    expect(calls).toEqual([]);
  });

  it("that fails is logged and hurts nobody", async () => {
    const { ports, host } = createDesk(() => Promise.reject(new Error("no luck")));
    expect(await all(host)).toEqual(["failed", "failed", "failed"]);
    expect(ports.logged.map(({ message }) => message).sort()).toEqual([
      "a thread was not archived",
      "a thread was not removed",
      "a thread was not renamed",
    ]);
  });

  it("that hangs is given up after half a minute", async () => {
    const { ports, host } = createDesk(() => new Promise(() => undefined));
    const asked = all(host);
    await ports.clock.advance(30_000);
    expect(await asked).toEqual(["failed", "failed", "failed"]);
    expect(ports.clock.waiting).toBe(0);
  });
});
