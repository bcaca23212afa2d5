import type { Step } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { ADA, CoreDesk } from "./core-desk.ts";
import { aborted, says } from "./played-runtime.ts";

/** A desk whose agent says half an answer to "long" and then works until it is stopped. */
async function openBusy(): Promise<CoreDesk> {
  const desk = await new CoreDesk().connect();
  desk.runtime.play = async function* ({ input, signal }) {
    const text = input.input[0]?.text ?? "";
    if (text !== "long") return yield* says(`re: ${text}`);
    await input.callTool({ ordinal: 0, name: "read", args: {} });
    yield { type: "text", delta: "half an ans" };
    await aborted(signal);
    yield { type: "end", reason: "stopped" };
  };
  await desk.says("long");
  return desk;
}

describe("/stop", () => {
  it("ends the turn; what was said so far is kept and not sent; what waits goes on", async () => {
    const desk = await openBusy();
    await desk.says("next");
    await desk.says("/stop");
    expect(desk.heard()).toEqual([
      "Stopped. What was said so far is kept. 1 message still waits and will be answered.",
      "re: next",
    ]);
    expect(await desk.lines()).toEqual([
      "user: long",
      "tool_call: read",
      "tool_result: read ran",
      "assistant: half an ans",
      "user: next",
      "assistant: re: next",
    ]);
    expect((await desk.transcript())[3]).toMatchObject({ stopReason: "stopped" });
    expect(desk.turns.running).toBe(0);
  });

  it("keeps the message when nothing was said yet", async () => {
    const desk = await new CoreDesk().connect();
    desk.runtime.play = async function* ({ signal }) {
      await aborted(signal);
      yield { type: "end", reason: "stopped" };
    };
    await desk.says("long");
    await desk.says("/stop");
    expect(await desk.lines()).toEqual(["user: long"]);
  });

  it("with nothing to stop says so", async () => {
    const desk = await new CoreDesk().connect();
    await desk.says("/stop");
    expect(desk.heard()).toEqual(["Nothing is running."]);
  });

  it("that meets the end of the turn leaves one answer in the transcript", async () => {
    const desk = await new CoreDesk().connect();
    const gate = Promise.withResolvers<void>();
    desk.hooks.message_sending.tapPromise("slow", async ({ kind }) => {
      if (kind === "reply") await gate.promise;
      return undefined;
    });
    await desk.says("hello");
    const stopping = desk.receive([desk.message("/stop")]);
    gate.resolve();
    await stopping;
    await quiet();
    expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello"]);
    expect((await desk.store.read.counts()).waitingItems).toBe(0);
    await desk.says("next");
    expect(desk.heard().at(-1)).toBe("re: next");
  });
});

describe("a stop that comes before the turn is ready", () => {
  it("keeps the agent from beginning; what was written is in the transcript, and what waits goes on", async () => {
    let cuts = 1;
    const desk = await new CoreDesk({
      faultPoint: (name) => {
        if (name !== "T3.before" || cuts === 0) return;
        cuts -= 1;
        throw new Error("cut off");
      },
    }).connect();
    const gate = Promise.withResolvers<void>();
    const { entriesOfItem } = desk.store.read;
    Object.assign(desk.store.read, {
      entriesOfItem: async (query: { itemSeq: number }) => {
        await gate.promise;
        return entriesOfItem(query);
      },
    });
    await desk.says("one");
    await desk.says("two");
    await desk.says("/stop");
    gate.resolve();
    await quiet();
    expect(desk.runtime.turns.map(({ input, attempt }) => [input[0]?.text, attempt])).toEqual([
      ["one", 1],
      ["two", 1],
    ]);
    expect(desk.heard()).toEqual([
      "Stopped. What was said so far is kept. 1 message still waits and will be answered.",
      "re: two",
    ]);
    expect(await desk.lines()).toEqual(["user: one", "user: two", "assistant: re: two"]);
    expect(desk.turns.running).toBe(0);
  });

  it("and after its taps opens no session with the runtime", async () => {
    const desk = await new CoreDesk().connect();
    const gate = Promise.withResolvers<void>();
    desk.hooks.before_turn.tapPromise("slow", async () => {
      await gate.promise;
      return undefined;
    });
    await desk.says("one");
    await desk.says("/stop");
    gate.resolve();
    await quiet();
    expect(desk.runtime.opened).toEqual([]);
    expect(await desk.lines()).toEqual(["user: one"]);
  });
});

describe("/new", () => {
  it("ends the turn into the old transcript; its own text is the first of the new one", async () => {
    const desk = await openBusy();
    const old = (await desk.store.read.sessions({ limit: 1 }))[0]?.sessionId ?? "";
    await desk.says("/new hello");
    expect(desk.heard()).toEqual([
      "A new conversation begins; the old one is kept. The running answer was stopped.",
      "re: hello",
    ]);
    expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello"]);
    const rows = await desk.store.read.entries({ sessionId: old, limit: 100 });
    expect(rows.map(({ body }) => JSON.parse(body).kind)).toEqual([
      "message",
      "tool_call",
      "tool_result",
      "message",
      "reset",
    ]);
  });
});

describe("/new that meets the end of a turn while a message waits", () => {
  it("ends the turn that runs by then, and writes each turn's words once", async () => {
    const desk = await new CoreDesk().connect();
    const gate = Promise.withResolvers<void>();
    desk.hooks.message_sending.tapPromise("slow", async ({ kind }) => {
      if (kind === "reply") await gate.promise;
      return undefined;
    });
    desk.runtime.play = async function* ({ input, signal }) {
      const text = input.input[0]?.text ?? "";
      if (text !== "two") return yield* says(`re: ${text}`);
      yield { type: "text", delta: "half" };
      await aborted(signal);
      yield { type: "end", reason: "stopped" };
    };
    await desk.says("one");
    await desk.says("two");
    const old = (await desk.store.read.session(ADA))?.sessionId ?? "";
    const { commit } = desk.store;
    Object.assign(desk.store, {
      commit: async (step: Step) => {
        // The turn of "one" ends, and the one of "two" begins, just before the command is written.
        if (step.step === "command") {
          gate.resolve();
          await quiet();
        }
        return commit(step);
      },
    });
    await desk.says("/new");
    for (let turns = 0; turns < 20; turns += 1) await quiet();
    expect(desk.heard()).toEqual([
      "re: one",
      "A new conversation begins; the old one is kept. The running answer was stopped.",
    ]);
    const rows = await desk.store.read.entries({ sessionId: old, limit: 100 });
    expect(rows.map(({ body }) => JSON.parse(body).content[0].text)).toEqual([
      "one",
      "re: one",
      "two",
      "half",
      "manual",
    ]);
    await desk.says("three");
    await quiet();
    expect(desk.heard().at(-1)).toBe("re: three");
  });
});

describe("a runtime that hears no stop", () => {
  it("is left to itself after five seconds, and the lane goes on", async () => {
    const desk = await new CoreDesk().connect();
    desk.runtime.play = async function* ({ input }) {
      const text = input.input[0]?.text ?? "";
      if (text === "long") await new Promise(() => undefined);
      yield* says(`re: ${text}`);
    };
    await desk.says("long");
    await desk.says("next");
    await desk.says("/stop");
    await desk.ports.clock.advance(4_999);
    expect(desk.heard()).toEqual([]);
    await desk.ports.clock.advance(1);
    expect(desk.heard().at(-1)).toBe("re: next");
  });
});
