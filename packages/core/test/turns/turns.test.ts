import { describe, expect, it } from "vitest";
import { changeSession } from "../../src/sessions/change-session.ts";
import { reopenSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { ADA, CoreDesk } from "./core-desk.ts";
import { faultAt } from "./desk-fault.ts";
import { aborted, says } from "./played-runtime.ts";

/** Cuts turns off at a point, so often, as if the process had died there. */
function cutAt(point: string, times: number): (name: string) => void {
  let left = times;
  return (name) => {
    if (name !== point || left === 0) return;
    left -= 1;
    throw new Error(`cut off at ${point}`);
  };
}

const CUT_LINE =
  "⚠ Your message “hello” was set aside: the agent was cut off 3 times while working on it. Send it again to try once more.";

describe("attempts", () => {
  it("are made three times at most; then the message is set aside, its sender is told, and the lane goes on", async () => {
    const desk = await new CoreDesk({ faultPoint: cutAt("T3.before", 3) }).connect();
    await desk.receive([desk.message("hello"), desk.message("next")]);
    expect(desk.runtime.turns.map(({ attempt, input }) => [input[0]?.text, attempt])).toEqual([
      ["hello", 1],
      ["hello", 2],
      ["hello", 3],
      ["next", 1],
    ]);
    expect(desk.heard()).toEqual([CUT_LINE, "re: next"]);
    expect(await desk.lines()).toEqual(["user: hello", `notice: ${CUT_LINE}`, "user: next", "assistant: re: next"]);
  });

  it("name the same turn, and the one that gets through is answered once", async () => {
    const desk = await new CoreDesk({ faultPoint: cutAt("T3.before", 2) }).connect();
    const ended: string[] = [];
    desk.hooks.after_turn.tap("t", ({ turnId, outcome }) => void ended.push(`${turnId} ${outcome}`));
    await desk.says("hello");
    const [first, ...more] = desk.runtime.turns.map(({ turnId }) => turnId);
    expect(more).toEqual([first, first]);
    expect(ended).toEqual([`${first} done`]);
    expect([desk.heard(), await desk.lines()]).toEqual([["re: hello"], ["user: hello", "assistant: re: hello"]]);
  });

  it("shorten a long message in the line that sets it aside", async () => {
    const desk = await new CoreDesk({ faultPoint: cutAt("T3.before", 3) }).connect();
    await desk.says("x".repeat(100));
    expect(desk.heard()[0]).toContain(`“${"x".repeat(60)}…”`);
  });
});

describe("tool calls", () => {
  /** Calls read(1) and write(2), then answers with what it was given. */
  async function play(desk: CoreDesk, second: unknown = { path: "b" }) {
    desk.runtime.play = async function* ({ input }) {
      const one = await input.callTool({ ordinal: 0, name: "read", args: { path: "a" } });
      const two = await input.callTool({ ordinal: 1, name: "write", args: input.attempt > 1 ? second : { path: "b" } });
      yield* says(`${one.text}, ${two.text}`);
    };
    await desk.says("hello");
  }

  it("are written down with their results before the agent goes on", async () => {
    const desk = await new CoreDesk().connect();
    await play(desk);
    expect(desk.heard()).toEqual(["read ran, write ran"]);
    expect(await desk.lines()).toEqual([
      "user: hello",
      "tool_call: read",
      "tool_result: read ran",
      "tool_call: write",
      "tool_result: write ran",
      "assistant: read ran, write ran",
    ]);
    expect(JSON.parse((await desk.store.read.session(ADA))?.body ?? "")).toMatchObject({
      toolCallCount: 2,
      messageCount: 2,
    });
  });

  it("run once over all attempts: a later one gets the results by their ordinals", async () => {
    const desk = await new CoreDesk({ faultPoint: cutAt("T3.before", 2) }).connect();
    await play(desk);
    expect(desk.ran.map(({ name }) => name)).toEqual(["read", "write"]);
    expect(
      desk.runtime.turns.map(({ committedCalls }) =>
        committedCalls.map(({ ordinal, result }) => [ordinal, result.text]),
      ),
    ).toEqual([
      [],
      [
        [0, "read ran"],
        [1, "write ran"],
      ],
      [
        [0, "read ran"],
        [1, "write ran"],
      ],
    ]);
    expect(desk.heard()).toEqual(["read ran, write ran"]);
    expect((await desk.lines()).filter((line) => line === "user: hello")).toHaveLength(1);
    expect(await desk.lines()).toHaveLength(6);
  });

  it("that are another one under an old ordinal are refused, and nothing runs", async () => {
    const desk = await new CoreDesk({ faultPoint: cutAt("T3.before", 1) }).connect();
    await play(desk, { path: "other" });
    expect(desk.heard()[0]).toContain("The tool write was called as call 1: that call was write in an earlier attempt");
    expect(desk.ran).toHaveLength(2);
  });

  it("leave the opening entry to one attempt, also when the turn is set aside", async () => {
    const desk = await new CoreDesk({ faultPoint: cutAt("T3.before", 3) }).connect();
    await play(desk);
    expect(await desk.lines()).toEqual([
      "user: hello",
      "tool_call: read",
      "tool_result: read ran",
      "tool_call: write",
      "tool_result: write ran",
      `notice: ${CUT_LINE}`,
    ]);
  });

  it("after the end of the turn are refused", async () => {
    const desk = await new CoreDesk().connect();
    await desk.says("hello");
    const late = await desk.runtime.turns[0]?.callTool({ ordinal: 0, name: "read", args: {} });
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining("the turn is over") });
    expect(desk.ran).toEqual([]);
  });

  it("of a turn that has lost its lane stop the run; what it says counts for nothing", async () => {
    const desk = await new CoreDesk().connect();
    let wasStopped = false;
    desk.runTool = async () => {
      await desk.store.commit({ step: "recover", owner: "another process" });
      return { text: "ran", isError: false };
    };
    desk.runtime.play = async function* ({ input, signal }) {
      await input.callTool({ ordinal: 0, name: "read", args: {} }).catch(() => undefined);
      wasStopped = signal.aborted;
      yield* says("too late");
    };
    await desk.says("hello");
    expect(wasStopped).toBe(true);
    expect([desk.heard(), await desk.lines()]).toEqual([[], []]);
    expect(await desk.store.read.lane(ADA)).toMatchObject({ waiting: 1 });
  });
});

describe("the end of a turn", () => {
  it("is written on the record as it is then, when somebody else changed it meanwhile", async () => {
    const desk = await new CoreDesk().connect();
    desk.runtime.play = async function* () {
      const row = await desk.store.read.session(ADA);
      if (row !== undefined) {
        const session = { ...row, expectRevision: row.revision, body: row.body.replace("{", '{"label":"garden",') };
        await desk.store.commit({ step: "write_session", writeId: "w", session });
      }
      yield* says("hello");
    };
    await desk.says("hello");
    expect(desk.heard()).toEqual(["hello"]);
    expect(JSON.parse((await desk.store.read.session(ADA))?.body ?? "")).toMatchObject({
      label: "garden",
      messageCount: 2,
    });
  });

  it("is in the transcript it began in, when its record was one of a new conversation by then", async () => {
    const desk = await new CoreDesk().connect();
    const opening = { key: ADA, sessionId: desk.ports.createUuid(), now: desk.ports.clock.now() };
    let old = "";
    desk.runtime.play = async function* () {
      old = (await desk.store.read.session(ADA))?.sessionId ?? "";
      await changeSession(ADA, (entry) => reopenSessionEntry(entry, opening), { ...desk, cache: desk.sessions });
      yield* says("hi");
    };
    await desk.says("hello");
    expect([desk.heard(), await desk.lines()]).toEqual([["hi"], []]);
    const rows = await desk.store.read.entries({ sessionId: old, limit: 100 });
    expect(rows.map(({ body }) => JSON.parse(body).content[0].text)).toEqual(["hello", "hi"]);
    expect(JSON.parse((await desk.store.read.session(ADA))?.body ?? "")).toMatchObject({ messageCount: 0 });
    desk.runtime.play = () => says("fresh");
    await desk.says("next");
    expect(await desk.lines()).toEqual(["user: next", "assistant: fresh"]);
  });

  it("that was cut off keeps the chat free for the next one", async () => {
    const desk = await new CoreDesk({ faultPoint: cutAt("T3.before", 1) }).connect();
    await desk.says("one");
    await desk.says("two");
    expect(desk.heard()).toEqual(["re: one", "re: two"]);
    expect(desk.steps.filter(({ step }) => step === "attempt")).toEqual([]);
  });

  it("that a tap keeps back is in the transcript and not in the chat", async () => {
    const desk = await new CoreDesk().connect();
    desk.hooks.message_sending.tap("censor", () => ({ cancel: "not this" }));
    await desk.says("hello");
    expect([desk.heard(), await desk.lines()]).toEqual([[], ["user: hello", "assistant: re: hello"]]);
  });

  it.each([0, 3])("uses up an unknown end %i times without a second answer", async (times) => {
    const desk = await new CoreDesk({ fault: faultAt("commit_turn", "after", times) }).connect();
    await desk.says("hello");
    expect([desk.heard(), desk.runtime.turns.length]).toEqual([["re: hello"], 1]);
  });
});

describe("the gateway's stop", () => {
  it("gives running turns back with their attempt; the next process runs them again", async () => {
    const data = openTestData();
    const desk = await new CoreDesk({ data }).connect();
    desk.runtime.play = async function* ({ signal }) {
      yield { type: "text", delta: "half an ans" };
      await aborted(signal);
      yield { type: "end", reason: "stopped" };
    };
    await desk.receive([desk.message("one"), desk.message("two", { sender: { id: "bob" } })]);
    expect(desk.turns.running).toBe(2);
    const closing = desk.lanes.close();
    await desk.turns.releaseAll();
    await closing;
    expect([desk.turns.running, desk.sent, await desk.lines()]).toEqual([0, [], []]);
    const later = await new CoreDesk({ data }).connect();
    await later.lanes.resume();
    await quiet();
    expect(later.runtime.turns.map(({ attempt }) => attempt)).toEqual([1, 1]);
    expect([later.heard(), later.heard("bob")]).toEqual([["re: one"], ["re: two"]]);
  });

  it("does not mind an unknown end of the giving back", async () => {
    const desk = await new CoreDesk({ fault: faultAt("release", "after") }).connect();
    desk.runtime.play = async function* ({ signal }) {
      await aborted(signal);
      yield { type: "end", reason: "stopped" };
    };
    await desk.says("one");
    await desk.turns.releaseAll();
    expect(await desk.store.read.lane(ADA)).toMatchObject({ waiting: 1, active: [] });
  });
});
