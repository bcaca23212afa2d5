import { type Address, ChannelError, formatAddress, parseAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { aborted } from "../../turns/played-runtime.ts";
import { addressOf, TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";
import { ThreadAccount } from "./thread-account.ts";

/** A person has a sub-agent in a thread that stays; its work takes until `finish`. */
async function openThread(options: TreeDeskOptions = {}) {
  const threads = new ThreadAccount();
  const desk = await new TreeDesk({ threads, ...options }).start();
  const work = Promise.withResolvers<string>();
  desk.plays(/^work/, async ({ signal }) => Promise.race([work.promise, aborted(signal).then(() => "")]));
  await desk.says("/spawn --thread --label w work");
  const finish = async (text: string) => {
    work.resolve(text);
    await desk.rest();
    // Behind the last words in it.
    await desk.later(500);
  };
  return { desk, threads, finish, thread: await findThread(desk) };
}

async function findThread(desk: TreeDesk): Promise<Address> {
  const [run] = await desk.runs();
  return formatAddress({ ...parseAddress(addressOf("ada")), thread: run?.runId.slice(0, 8) ?? "" });
}

async function timersOf(desk: TreeDesk): Promise<readonly string[]> {
  return (await desk.store.read.timers({ limit: 9 })).map(({ kind }) => kind);
}

describe("a thread that stays open", () => {
  it("shows in its name how the run has ended, and nobody says goodbye", async () => {
    const { desk, threads, finish } = await openThread();
    expect(threads.done).toEqual(["open w"]);
    await finish("done");
    expect(threads.done).toEqual(["open w", "rename ✅ w"]);
    expect(threads.goodbyes).toEqual([]);
    expect((await desk.store.read.routes()).bindings).toHaveLength(1);
    expect(await timersOf(desk)).not.toContain("thread-naming");
  });

  it("shows that the run was stopped, also where the platform was away and the process died in between", async () => {
    const { desk, threads } = await openThread();
    threads.isDown = true;
    await desk.says("/kill w");
    expect(await timersOf(desk)).toContain("thread-naming");
    desk.crash();
    const again = new ThreadAccount();
    const next = await new TreeDesk({ threads: again, data: desk.data, ports: desk.ports }).start();
    await next.later(60_000);
    expect(again.done).toEqual(["rename ⏹ w"]);
    expect(await timersOf(next)).not.toContain("thread-naming");
  });

  it("shows it also where a person has freed it, but not where it is another sub-agent's place by now", async () => {
    const freed = await openThread();
    freed.threads.isDown = true;
    await freed.finish("done");
    await freed.desk.saysAt(freed.thread, "/unfocus");
    freed.threads.isDown = false;
    await freed.desk.later(60_000);
    expect(freed.threads.done).toEqual(["open w", "rename ✅ w"]);

    const taken = await openThread();
    taken.threads.isDown = true;
    await taken.finish("done");
    const [binding] = (await taken.desk.store.read.routes()).bindings;
    if (binding === undefined) throw new Error("nothing is bound");
    const other = { ...binding, id: "other", sessionKey: "agent:main:irc:dm:ada" };
    const step = { step: "bind", address: taken.thread, binding: other, timers: [], endTimers: [] } as const;
    expect(await taken.desk.store.commit(step)).toMatchObject({ status: "done" });
    taken.threads.isDown = false;
    await taken.desk.later(60_000);
    expect(taken.threads.done).toEqual(["open w"]);
    expect(await timersOf(taken.desk)).not.toContain("thread-naming");
  });

  it("is not renamed by what is asked in it later, nor by a run that another session has sent there", async () => {
    const { desk, threads, finish, thread } = await openThread();
    await finish("done");
    await desk.saysAt(thread, "more");
    await desk.says("/subagents send w once more");
    expect(desk.turns.at(-1)?.input[0]?.text).toBe("once more");
    expect(threads.done).toEqual(["open w", "rename ✅ w"]);
  });
});

describe("a goodbye", () => {
  it("is said where a thread closes with its run, and where it closes by age", async () => {
    const threads = new ThreadAccount();
    const desk = await new TreeDesk({ threads, options: { threads: { maxAgeHours: 1 } } }).start();
    await desk.says("/spawn --thread --mode run --label walk walk");
    await desk.says("/spawn --thread --label sit sit");
    await desk.later(3_600_000);
    expect(threads.goodbyes).toEqual([
      "✅ “walk” is done and has left this thread.",
      "🍂 The sub-agent has left this thread.",
    ]);
  });
});

describe("a thread that turns out to be gone when it is to show the end", () => {
  it("leads to its sub-agent no more, which is said once in the chat that it was in", async () => {
    const { desk, threads, finish } = await openThread();
    threads.isGone = true;
    await finish("done");
    expect((await desk.store.read.routes()).bindings).toEqual([]);
    expect(await timersOf(desk)).not.toContain("thread-naming");
    const notice =
      "The thread of **w** is deleted or closed, or I may not write there any more. `/subagents send` still reaches the sub-agent.";
    expect(desk.heardAt(addressOf("ada")).filter((text) => text === notice)).toHaveLength(1);
  });
});

describe("a thread that a sub-agent lives in, after a start", () => {
  async function restart(change: (threads: ThreadAccount) => void) {
    const { desk, finish } = await openThread();
    await finish("done");
    desk.crash();
    const threads = new ThreadAccount();
    change(threads);
    const next = await new TreeDesk({ threads, data: desk.data, ports: desk.ports }).start();
    await next.rest();
    return { next, bindings: (await next.store.read.routes()).bindings };
  }
  const notice =
    "The thread of **w** is deleted or closed, or I may not write there any more. `/subagents send` still reaches the sub-agent.";

  it("is free before an answer is due there, where it has gone meanwhile, and its chat is told", async () => {
    const { next, bindings } = await restart((threads) => {
      threads.isGone = true;
    });
    expect(bindings).toEqual([]);
    expect(next.heardAt(addressOf("ada")).filter((text) => text === notice)).toHaveLength(1);
  });

  it("is told of in the words of its plugin, where that knows the reason", async () => {
    const reason = "I can't write in the thread any more: it is locked.";
    let tell = async (_: Address): Promise<void> => undefined;
    const { desk, finish, thread } = await openThread();
    await finish("done");
    desk.crash();
    const threads = new ThreadAccount();
    threads.isGone = true;
    threads.probe = async () => {
      await tell(thread);
      return "gone";
    };
    const next = new TreeDesk({ threads, data: desk.data, ports: desk.ports });
    tell = async (address) => next.context?.threadGone(address, reason);
    await next.start();
    await next.rest();
    expect((await next.store.read.routes()).bindings).toEqual([]);
    const told = next.heardAt(addressOf("ada"));
    expect([told.filter((text) => text === reason).length, told.includes(notice)]).toEqual([1, false]);
  });

  it("is free also where its account is connected only at a later try", async () => {
    const { desk, finish } = await openThread();
    await finish("done");
    desk.crash();
    const threads = new ThreadAccount();
    threads.isGone = true;
    let tries = 0;
    const options = {
      threads,
      data: desk.data,
      ports: desk.ports,
      get connecting() {
        tries += 1;
        return tries > 1 ? Promise.resolve() : Promise.reject(new ChannelError("definite", "connecting: no network"));
      },
    };
    const next = await new TreeDesk(options).start();
    await next.rest();
    expect((await next.store.read.routes()).bindings).toHaveLength(1);
    await next.later(2 * 60_000);
    await next.rest();
    expect((await next.store.read.routes()).bindings).toEqual([]);
  });

  it("stays the sub-agent's where it is there, and where the platform does not say", async () => {
    for (const isDown of [false, true]) {
      const { next, bindings } = await restart((threads) => {
        threads.isDown = isDown;
      });
      expect(bindings).toHaveLength(1);
      expect(next.heardAt(addressOf("ada"))).not.toContain(notice);
    }
  });
});

describe("a thread that a plugin tells to be gone", () => {
  it("leads to its sub-agent no more, and what comes from there goes its normal way", async () => {
    const { desk, thread, finish } = await openThread();
    await finish("done");
    await desk.context?.threadGone(thread);
    await desk.context?.threadGone(thread);
    expect((await desk.store.read.routes()).bindings).toEqual([]);
    expect(await timersOf(desk)).not.toContain("binding-idle");
    await desk.saysAt(thread, "anybody?");
    expect(desk.heardAt(thread).at(-1)).toBe("re: anybody?");
    expect(await desk.lines((await desk.runs())[0]?.childSessionKey)).not.toContain("user: anybody?");
  });

  it("is told of in the chat that it is in, once, also where the process dies before it is free", async () => {
    let isDead = true;
    const fault: TreeDeskOptions["fault"] = (step, when) =>
      isDead && step.step === "bind" && step.binding === null && when === "before" ? "closed" : "none";
    const { desk, thread, finish } = await openThread({ fault });
    await finish("done");
    const notice = "I can't write in the thread any more: it is locked.";
    await expect(desk.context?.threadGone(thread, notice)).rejects.toThrow();
    isDead = false;
    desk.crash();
    const next = await new TreeDesk({ threads: new ThreadAccount(), data: desk.data, ports: desk.ports }).start();
    await next.context?.threadGone(thread, notice);
    await next.rest();
    expect((await next.store.read.routes()).bindings).toEqual([]);
    const told = [...desk.heardAt(addressOf("ada")), ...next.heardAt(addressOf("ada"))];
    expect(told.filter((text) => text === notice)).toHaveLength(1);
  });

  it("is told of where its sub-agent was asked for, where the chat that it is in takes no messages", async () => {
    const { desk, thread, finish } = await openThread();
    await finish("done");
    const notice = "A post of the forum was deleted.";
    await desk.context?.threadGone(thread, notice, "requester");
    // Nobody is bound any more, so nobody knows who asked.
    await desk.context?.threadGone(thread, notice, "requester");
    await desk.rest();
    const told = desk.sent.filter(({ text }) => text.includes(notice));
    expect(told).toEqual([expect.objectContaining({ address: addressOf("ada"), text: `**w**: ${notice}` })]);
    const unbound = formatAddress({ ...parseAddress(thread), thread: "other" });
    await desk.context?.threadGone(unbound, notice, "requester");
    await desk.rest();
    expect(desk.sent.filter(({ text }) => text.includes(notice))).toHaveLength(1);
  });

  it("is told again where that could not be written", async () => {
    let isBroken = false;
    const fault: TreeDeskOptions["fault"] = (step, when) =>
      isBroken && step.step === "bind" && when === "before" ? "closed" : "none";
    const { desk, thread, finish } = await openThread({ fault });
    await finish("done");
    isBroken = true;
    await expect(desk.context?.threadGone(thread)).rejects.toThrow();
  });
});
