import { formatAddress, parseAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { aborted } from "../../turns/played-runtime.ts";
import { addressOf, TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";
import { ThreadAccount } from "./thread-account.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface ThreadDesk {
  readonly desk: TreeDesk;
  readonly threads: ThreadAccount;
}

async function openDesk(options: TreeDeskOptions = {}): Promise<ThreadDesk> {
  const threads = new ThreadAccount();
  const desk = await new TreeDesk({ threads, ...options }).start();
  return { desk, threads };
}

/** An agent opens a thread with a child that people may write to. */
async function openThread(args: object, options: TreeDeskOptions = {}): Promise<ThreadDesk> {
  const opened = await openDesk(options);
  opened.desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w", thread: true, ...args });
    return "asked";
  });
  await opened.desk.says("go");
  return opened;
}

async function writesThere(desk: TreeDesk, text: string): Promise<void> {
  const [run] = await desk.runs();
  const thread = formatAddress({ ...parseAddress(addressOf("ada")), thread: run?.runId.slice(0, 8) ?? "" });
  await desk.saysAt(thread, text, "ada");
}

async function bindingsOf(desk: TreeDesk): Promise<number> {
  return (await desk.store.read.routes()).bindings.length;
}

describe("the thread of a child with one task", () => {
  it("closes with the mark of its end, behind its answer", async () => {
    const { desk, threads } = await openThread({ mode: "run" });
    await desk.later(5_000);
    expect(threads.done).toEqual(["open w", "archive ✅ w"]);
    expect(await bindingsOf(desk)).toBe(0);
  });

  it("closes, and whoever has turned a conversation of his own to the child still talks with it", async () => {
    const { desk } = await openThreadThatHangs();
    await desk.says("/focus w");
    await desk.gateway.operations["run-kill"]?.({ runId: (await desk.runs())[0]?.runId });
    await desk.rest();
    await desk.says("are you there?");
    const [run] = await desk.runs();
    expect((await desk.lines(run?.childSessionKey)).at(-1)).toBe("assistant: re: are you there?");
  });

  it("closes with the mark of a kill, also where the process dies in between", async () => {
    const first = await openThreadThatHangs();
    first.threads.isDown = true;
    await first.desk.gateway.operations["run-kill"]?.({ runId: (await first.desk.runs())[0]?.runId });
    first.desk.crash();
    const { threads, desk } = await openDesk({ data: first.desk.data, ports: first.desk.ports });
    await desk.later(60_000);
    expect(threads.done).toEqual(["archive ⏹ w"]);
    expect((await desk.store.read.timers({ limit: 9 })).map(({ kind }) => kind)).not.toContain("thread-closing");
  });

  it("is tried in growing pauses for a day, then left open with a word in the log", async () => {
    const { desk, threads } = await openThread({ mode: "run" });
    threads.isDown = true;
    for (let hours = 0; hours < 30; hours += 1) await desk.later(HOUR_MS);
    expect((await desk.store.read.timers({ limit: 9 })).map(({ kind }) => kind)).not.toContain("thread-closing");
    expect(desk.ports.logged.map(({ message }) => message)).toContain(
      "a thread could not be closed or renamed for a day; it stays",
    );
  });
});

async function openThreadThatHangs(): Promise<ThreadDesk> {
  const opened = await openDesk();
  const { desk } = opened;
  desk.plays(/^work/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w", thread: true, mode: "run" });
    return "asked";
  });
  await desk.says("go");
  return opened;
}

describe("a timer of a thread that fires too late", () => {
  it("leaves one alone that leads to a child again", async () => {
    const { desk, threads } = await openThreadThatHangs();
    threads.isDown = true;
    const [binding] = (await desk.store.read.routes()).bindings;
    if (binding === undefined) throw new Error("nothing is bound");
    await desk.gateway.operations["run-kill"]?.({ runId: (await desk.runs())[0]?.runId });
    await desk.rest();
    const again = { step: "bind", address: binding.address, binding, timers: [], endTimers: [] } as const;
    await desk.store.commit(again);
    threads.isDown = false;
    await desk.later(30 * 60_000);
    expect(threads.done).toEqual(["open w"]);
  });

  it("takes no thread back whose spawn was accepted after all", async () => {
    const { desk, threads } = await openThreadThatHangs();
    const [run] = await desk.runs();
    const arm = [{ id: "late", kind: "thread-withdrawal", subject: run?.runId ?? "", dueInMs: 1_000 }];
    await desk.store.commit({ step: "set_timers", arm, end: [] });
    await desk.later(120_000);
    expect(threads.done).toEqual(["open w"]);
    expect((await desk.store.read.timers({ limit: 9 })).map(({ id }) => id)).not.toContain("late");
  });
});

describe("the thread of a child that people talk with", () => {
  it("leads to it until nobody has written for a day, and is closed as it is", async () => {
    const { desk, threads } = await openThread({});
    await desk.later(20 * HOUR_MS);
    await writesThere(desk, "more");
    expect(desk.turns.at(-1)?.input[0]?.text).toBe("more");
    await desk.later(23 * HOUR_MS);
    expect(await bindingsOf(desk)).toBe(1);
    await desk.later(HOUR_MS);
    expect(await bindingsOf(desk)).toBe(0);
    expect(threads.done).toEqual(["open w", "rename ✅ w", "archive as it is"]);
    await writesThere(desk, "anybody?");
    expect(await desk.lines((await desk.runs())[0]?.childSessionKey)).not.toContain("user: anybody?");
    expect(desk.turns.at(-1)?.input[0]?.text).toBe("anybody?");
  });

  it("ends with its age however busy it is", async () => {
    const { desk, threads } = await openThread({}, { options: { threads: { maxAgeHours: 30 } } });
    for (let hours = 0; hours < 29; hours += 1) {
      await desk.later(HOUR_MS);
      await writesThere(desk, "more");
    }
    expect(await bindingsOf(desk)).toBe(1);
    await desk.later(HOUR_MS);
    expect([await bindingsOf(desk), threads.done.at(-1)]).toEqual([0, "archive as it is"]);
    await desk.later(3 * DAY_MS);
    expect((await desk.store.read.timers({ limit: 9 })).filter(({ kind }) => kind.startsWith("binding"))).toEqual([]);
  });
});

describe("a spawn whose thread does not open in time", () => {
  it("is refused, and what opened late is taken back", async () => {
    const { desk, threads } = await openDesk();
    const gate = Promise.withResolvers<void>();
    threads.opening = gate.promise;
    let answer = "";
    desk.plays(/^go/, async ({ call }) => {
      answer = (await call("sessions_spawn", { task: "work", thread: true, mode: "session" })).text;
      return "over";
    });
    await desk.says("go");
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["reserved"]);
    await desk.later(60_000);
    expect(JSON.parse(answer)).toMatchObject({ status: "error" });
    gate.resolve();
    await desk.later(10_000);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed"]);
    expect(threads.done).toEqual(["withdraw", "open work", "withdraw"]);
  });

  it("is refused also where a plugin's own tap takes longer, and what it opened is taken back again", async () => {
    const { desk, threads } = await openDesk();
    const gate = Promise.withResolvers<void>();
    desk.gateway.hooks.subagent_spawning.tapPromise(
      { name: "own", timeoutMs: HOUR_MS },
      async ({ requester, runId }) => {
        await gate.promise;
        threads.done.push("opened by the tap");
        const address = formatAddress({ ...parseAddress(requester.address), thread: "own" });
        return { status: "ok", threadBindingReady: true, binding: { id: runId, address } };
      },
    );
    let answer = "";
    desk.plays(/^go/, async ({ call }) => {
      answer = (await call("sessions_spawn", { task: "work", thread: true, mode: "session" })).text;
      return "over";
    });
    await desk.says("go");
    await desk.later(59_999);
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["reserved"]);
    await desk.later(1);
    expect(JSON.parse(answer)).toMatchObject({ status: "error", code: "spawn_failed" });
    gate.resolve();
    await desk.later(10_000);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed"]);
    expect(threads.done).toEqual(["withdraw", "opened by the tap", "withdraw"]);
  });

  it("whose thread cannot be taken back is taken back when that is possible again", async () => {
    const { desk, threads } = await openDesk();
    const gate = Promise.withResolvers<void>();
    threads.opening = gate.promise;
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", thread: true, mode: "session" });
      return "over";
    });
    await desk.says("go");
    desk.crash();
    const again = await openDesk({ data: desk.data, ports: desk.ports });
    again.threads.isDown = true;
    expect((await again.desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed"]);
    await again.desk.later(60_000);
    expect(again.threads.done).toEqual([]);
    again.threads.isDown = false;
    await again.desk.later(120_000);
    expect(again.threads.done).toEqual(["withdraw"]);
    expect(await again.desk.store.read.timers({ limit: 9 })).toEqual([]);
  });
});
