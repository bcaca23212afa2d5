import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { ADA, CoreDesk } from "../turns/core-desk.ts";
import { faultAt } from "../turns/desk-fault.ts";
import { says } from "../turns/played-runtime.ts";

describe.each(["before", "after"] as const)(
  "when the end of a commit is not known, and the fault was %s the effect",
  (when) => {
    it("a message is neither lost nor doubled", async () => {
      const desk = await new CoreDesk({ fault: faultAt("receive", when) }).connect();
      await desk.receive([desk.message("one"), desk.message("two"), desk.message("three", { sender: { id: "bob" } })]);
      expect([desk.heard(), desk.heard("bob")]).toEqual([["re: one", "re: two"], ["re: three"]]);
      expect(await desk.lines()).toEqual(["user: one", "assistant: re: one", "user: two", "assistant: re: two"]);
    });

    it("a message is neither lost nor doubled when the store does not answer for long: it is sent until the outcome is known", async () => {
      const desk = await new CoreDesk({ fault: faultAt("receive", when, 12) }).connect();
      const receiving = desk.receive([desk.message("one")]);
      await desk.ports.clock.advance(60_000);
      expect(await receiving).toEqual([when === "after" ? "duplicate" : "stored"]);
      await quiet();
      expect(desk.heard()).toEqual(["re: one"]);
      expect(await desk.lines()).toEqual(["user: one", "assistant: re: one"]);
    });

    it("a message for a running lane is not forgotten", async () => {
      let faults = 0;
      const desk = await new CoreDesk({
        fault: (step, now) => {
          if (step.step !== "receive" || now !== when || faults === 0) return "none";
          faults -= 1;
          return "commit_unknown";
        },
      }).connect();
      const gate = Promise.withResolvers<void>();
      desk.runtime.play = async function* ({ input }) {
        await gate.promise;
        yield* says(`re: ${input.input[0]?.text}`);
      };
      await desk.says("one");
      // A lane that is ready keeps the next receive from claiming.
      desk.lanes.wake(ADA);
      expect(desk.lanes.hasRoom).toBe(false);
      faults = 1;
      await desk.says("two", "bob");
      gate.resolve();
      await quiet();
      expect([desk.heard(), desk.heard("bob")]).toEqual([["re: one"], ["re: two"]]);
    });

    it("a command takes effect once and is answered once, whichever step it was", async () => {
      for (const step of ["receive", "command"] as const) {
        const desk = await new CoreDesk({ fault: faultAt(step, when) }).connect();
        await desk.says("/new hello");
        expect(desk.heard()).toEqual(["A new conversation begins; the old one is kept.", "re: hello"]);
        expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello"]);
        expect((await desk.store.read.counts()).waitingItems).toBe(0);
      }
    });

    it.each(["claim", "commit_turn", "attempt", "settle"] as const)("an answer goes out once: %s", async (step) => {
      const desk = await new CoreDesk({ fault: faultAt(step, when, 3) }).connect();
      await desk.receive([desk.message("one"), desk.message("two")]);
      expect(desk.heard()).toEqual(["re: one", "re: two"]);
      expect(await desk.lines()).toEqual(["user: one", "assistant: re: one", "user: two", "assistant: re: two"]);
      expect((await desk.store.read.counts()).unsettledDeliveries).toBe(0);
    });

    it("an answer is not lost when the store does not answer for long", async () => {
      const desk = await new CoreDesk({ fault: faultAt("commit_turn", when, 12) }).connect();
      await desk.says("one");
      await desk.ports.clock.advance(60_000);
      expect(desk.heard()).toEqual(["re: one"]);
      expect(await desk.lines()).toEqual(["user: one", "assistant: re: one"]);
      expect(desk.runtime.turns).toHaveLength(1);
    });
  },
);

describe("when the outcome of a claim is not known for long", () => {
  /** Ada's second message is claimed behind her first one, and the store is silent about it. */
  async function openSilent(): Promise<CoreDesk> {
    const desk = await new CoreDesk({ fault: faultAt("claim", "after", 7) }).connect();
    const gate = Promise.withResolvers<void>();
    desk.runtime.play = async function* ({ input }) {
      await gate.promise;
      yield* says(`re: ${input.input[0]?.text}`);
    };
    await desk.says("one");
    await desk.says("two");
    gate.resolve();
    await quiet();
    expect(desk.heard()).toEqual(["re: one"]);
    return desk;
  }

  it("the turn runs as soon as that is known", async () => {
    const desk = await openSilent();
    await desk.ports.clock.advance(60_000);
    expect(desk.heard()).toEqual(["re: one", "re: two"]);
  });

  it("a stop in between finds the turn: its input is kept, the agent is not asked, and the lane continues", async () => {
    const desk = await openSilent();
    await desk.says("/stop");
    await desk.ports.clock.advance(60_000);
    expect(desk.heard()).toEqual(["re: one", "Stopped. What was said so far is kept."]);
    expect(desk.runtime.turns).toHaveLength(1);
    await desk.says("three");
    expect(desk.heard().at(-1)).toBe("re: three");
    expect(await desk.lines()).toEqual([
      "user: one",
      "assistant: re: one",
      "user: two",
      "user: three",
      "assistant: re: three",
    ]);
  });
});

describe("an outdated cache", () => {
  it("of sessions makes the batch fail once; the next time it is stored", async () => {
    const desk = await new CoreDesk().connect();
    await desk.says("one");
    const row = await desk.store.read.session(ADA);
    const other = await new CoreDesk().connect();
    other.sessions.accept(ADA, row);
    const two = other.message("two");
    await expect(other.receive([two], "c")).rejects.toThrow(/the store refused it \(no_session\); receive it again/);
    expect(await other.store.read.cursor("irc", "default")).toBeUndefined();
    expect(await other.receive([two], "c")).toEqual(["stored"]);
    expect(other.heard()).toEqual(["re: two"]);
  });

  it("of records does not keep a turn from writing on the current one", async () => {
    const desk = await new CoreDesk().connect();
    await desk.says("one");
    const row = await desk.store.read.session(ADA);
    if (row === undefined) throw new Error("A session was read: there is none");
    const session = { ...row, expectRevision: row.revision, body: row.body.replace("{", '{"label":"garden",') };
    await desk.store.commit({ step: "write_session", writeId: "w", session });
    await desk.says("two");
    expect(desk.heard()).toEqual(["re: one", "re: two"]);
    expect(JSON.parse((await desk.store.read.session(ADA))?.body ?? "")).toMatchObject({
      label: "garden",
      messageCount: 4,
    });
  });
});

describe("a full store", () => {
  it("keeps an answer until there is room", async () => {
    let isFull = false;
    const desk = await new CoreDesk({
      fault: (step, when) => (isFull && when === "before" && step.step === "commit_turn" ? "full" : "none"),
    }).connect();
    isFull = true;
    await desk.says("one");
    await desk.ports.clock.advance(300_000);
    expect(desk.heard()).toEqual([]);
    isFull = false;
    await desk.ports.clock.advance(30_000);
    expect(desk.heard()).toEqual(["re: one"]);
    expect(desk.runtime.turns).toHaveLength(1);
  });

  it("in which a lane cannot be claimed delays the lane for a while only", async () => {
    let isFull = true;
    const data = openTestData();
    const closed = new CoreDesk({ data });
    await closed.lanes.close();
    await closed.says("one");
    const desk = await new CoreDesk({
      data,
      fault: (step, when) => (isFull && when === "before" && step.step === "claim" ? "full" : "none"),
    }).connect();
    await desk.lanes.resume();
    await quiet();
    expect(desk.heard()).toEqual([]);
    isFull = false;
    await desk.ports.clock.advance(30_000);
    expect(desk.heard()).toEqual(["re: one"]);
  });
});

describe("a later process", () => {
  it("runs the commands and messages that an earlier one left, in order", async () => {
    const data = openTestData();
    const earlier = new CoreDesk({ data });
    await earlier.lanes.close();
    const stored = [
      earlier.message("one"),
      earlier.message("two"),
      earlier.message("three", { sender: { id: "bob" } }),
    ];
    await earlier.receive(stored);
    const item = {
      lane: ADA,
      dedupe: "d",
      nativeId: "n",
      kind: "command",
      address: stored[0]?.address ?? "",
      laneCap: 9,
    } as const;
    const body = JSON.stringify({ id: "n", text: "/new", sender: { id: "ada" }, at: 1 });
    await earlier.store.commit({
      step: "receive",
      account: { channel: "irc", account: "default" },
      items: [{ ...item, body }],
    });
    const desk = await new CoreDesk({ data }).connect();
    await desk.inbound.resume();
    await desk.inbound.close();
    await desk.lanes.resume();
    await quiet();
    expect(desk.heard()).toEqual([
      "A new conversation begins; the old one is kept. 2 messages that waited go on in it.",
      "re: one",
      "re: two",
    ]);
    expect(desk.heard("bob")).toEqual(["re: three"]);
    expect((await desk.store.read.counts()).waitingItems).toBe(0);
  });
});

describe("a commit whose outcome is not known, and a disk that is full right after", () => {
  /** The step is written and nobody hears of it; for a minute every step finds the disk full. */
  async function openUnsure(name: "receive" | "claim") {
    let state: "well" | "unsure" | "full" = "well";
    const desk = await new CoreDesk({
      fault(step, when) {
        if (state === "full" && when === "before") return "full";
        if (state !== "unsure" || step.step !== name || when !== "after") return "none";
        state = "full";
        desk.ports.clock.schedule(60_000, () => {
          state = "well";
        });
        return "commit_unknown";
      },
    }).connect();
    return {
      desk,
      breaks: () => {
        state = "unsure";
      },
    };
  }

  it("a batch is waited for: its lane is claimed by us already, and no one else would run it", async () => {
    const { desk, breaks } = await openUnsure("receive");
    breaks();
    const receiving = desk.receive([
      desk.message("/new"),
      desk.message("one"),
      desk.message("two", { sender: { id: "bob" } }),
    ]);
    await desk.ports.clock.advance(120_000);
    await receiving;
    expect(desk.heard()).toEqual([expect.stringMatching(/^A new conversation begins/), "re: one"]);
    expect(desk.heard("bob")).toEqual(["re: two"]);
    expect(await desk.store.read.counts()).toMatchObject({ waitingItems: 0, activeLanes: 0 });
  });

  it("a claim is waited for, too", async () => {
    const { desk, breaks } = await openUnsure("claim");
    const gate = Promise.withResolvers<void>();
    desk.runtime.play = async function* ({ input }) {
      await gate.promise;
      yield* says(`re: ${input.input[0]?.text}`);
    };
    await desk.says("one");
    await desk.says("two");
    breaks();
    gate.resolve();
    await desk.ports.clock.advance(120_000);
    expect(desk.heard()).toEqual(["re: one", "re: two"]);
    expect(await desk.store.read.counts()).toMatchObject({ waitingItems: 0, activeLanes: 0 });
  });
});
