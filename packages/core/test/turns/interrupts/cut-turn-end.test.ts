import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { describe, expect, test } from "vitest";
import type { InterruptSetting } from "../../../src/config/shapes/interrupt-setting.ts";
import { parseSessionRow } from "../../../src/sessions/session-record.ts";
import { tellSteered } from "../../../src/turns/steering/steered-turn.ts";
import { quiet } from "../../manual-clock.ts";
import { openTestData } from "../../open-test-store.ts";
import { ADA, CoreDesk } from "../core-desk.ts";
import { type Play, says } from "../played-runtime.ts";

/** Says where it is, and that only; ends when it is stopped, in this way. */
const worksOn = (reason: "stopped" | "done"): Play =>
  async function* ({ input, signal }) {
    yield { type: "text", delta: `at ${input.input[0]?.text}` };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    yield { type: "end", reason };
  };

/** A desk where a newer message interrupts. */
async function openDesk(interrupt: InterruptSetting = {}, data: InlineDatabase = openTestData()): Promise<CoreDesk> {
  const desk = await new CoreDesk({ data }).connect();
  desk.queue = { mode: "interrupt", debounceMs: 0, interrupt };
  desk.runtime.play = worksOn("stopped");
  return desk;
}

async function interrupts(desk: CoreDesk, text: string): Promise<void> {
  await desk.says(text);
  desk.turns.offer(ADA);
  await desk.ports.clock.advance(1);
  await quiet();
}

async function readRecord(desk: CoreDesk) {
  const row = await desk.store.read.session(ADA);
  if (row === undefined) throw new Error("There is no session");
  return parseSessionRow(row).entry;
}

describe("a turn that a newer message cuts off", () => {
  test("is saved in the step that ends it, and a later attempt of the one behind it reads the same", async () => {
    const data = openTestData();
    const earlier = await openDesk({}, data);
    await earlier.says("walk");
    await interrupts(earlier, "run");
    const step = earlier.steps.find((one) => one.step === "commit_turn");
    expect(step).toMatchObject({ itemState: "done", deliveries: [] });
    expect(step?.step === "commit_turn" && JSON.parse(step.session.body).interruption).toMatchObject({ itemSeqs: [1] });
    expect(await earlier.lines()).toEqual([
      "user: walk",
      "assistant: at walk",
      expect.stringMatching(/^interruption: /),
    ]);
    await earlier.store.commit({ step: "recover", owner: "later" });
    const desk = await openDesk({}, data);
    desk.runtime.play = ({ input }) => says(`re: ${input.input[0]?.text}`);
    await desk.lanes.resume();
    await quiet();
    const [again] = desk.runtime.turns;
    expect(again?.attempt).toBe(2);
    expect(again?.input[0]?.context?.[0]?.label).toBe("what was cut off");
    expect(again?.input).toEqual(earlier.runtime.turns[1]?.input);
    expect((await readRecord(desk)).interruption).toBeUndefined();
  });

  test("and has come to its own end by then has answered: that is sent, and nothing is cut off", () => {
    const turn = { claim: { item: { seq: 7 } }, record: { entry: { sessionId: "s" } }, completions: [] };
    const end = {
      outcome: "done",
      entries: [],
      figures: {},
      answer: "at home",
      reply: { kind: "reply", text: "at home" },
    };
    const steered = { taken: [], interruptedBy: { resume: "here" } } as const;
    expect(Reflect.apply(tellSteered, undefined, [end, steered, turn, { now: () => 0 }])).toBe(end);
    const cut = Reflect.apply(tellSteered, undefined, [{ ...end, isCut: true }, steered, turn, { now: () => 0 }]);
    expect(cut.reply).toBeUndefined();
  });

  test("names a call of which nobody knows what became", async () => {
    const desk = await openDesk();
    desk.runTool = () => new Promise(() => undefined);
    desk.runtime.play = async function* ({ input, signal }) {
      const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
      if (input.input[0]?.text === "pay")
        await Promise.race([stopped, input.callTool({ ordinal: 0, name: "once_pay", args: { sum: 3 } })]);
      yield { type: "end", reason: "stopped" };
    };
    await desk.says("pay");
    await interrupts(desk, "wait, what is it for?");
    const told = desk.runtime.turns[1]?.input[0]?.context?.[0]?.text;
    expect(told).toMatch(/whose effects are unknown.*\n- once_pay \{"sum":3\}$/);
  });

  test("that is set back: a foreign agent, which keeps what it was told itself, begins anew", async () => {
    const desk = await openDesk({ resume: "checkpoint" });
    await desk.says("walk");
    const acp = { backend: "acp", agent: "oak", identity: { state: "resolved" } };
    const row = await desk.store.read.session(ADA);
    if (row === undefined) throw new Error("There is no session");
    const body = JSON.stringify({ ...JSON.parse(row.body), acp });
    const session = { ...row, expectRevision: row.revision, body };
    await desk.store.commit({ step: "write_session", writeId: "w", session });
    await interrupts(desk, "run");
    const { acp: kept, interruption } = await readRecord(desk);
    expect([kept, interruption?.isSetBack]).toEqual([undefined, true]);
  });

  test("is never one that another agent waits for: the message has a turn of its own behind it", async () => {
    const desk = await openDesk();
    desk.runtime.play = ({ input }) => says(`re: ${input.input[0]?.text}`);
    await desk.says("hello");
    const gate = Promise.withResolvers<void>();
    desk.runtime.play = async function* ({ input: { input }, signal }) {
      const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
      if (input[0]?.kind === "nested") await Promise.race([gate.promise, stopped]);
      if (signal.aborted) yield { type: "end", reason: "stopped" };
      else yield* says(`re: ${input[0]?.text}`);
    };
    const body = JSON.stringify({ id: "n", text: "count", sender: { id: "agent" }, at: 0 });
    const place = { lane: ADA, dedupe: "n", nativeId: "n", kind: "nested", address: "irc/default/dm/ada" } as const;
    await desk.store.commit({ step: "enqueue", item: { ...place, body } });
    desk.lanes.wake(ADA);
    await quiet();
    await interrupts(desk, "run");
    expect(desk.runtime.turns.map(({ input }) => input[0]?.text)).toEqual(["hello", "count"]);
    gate.resolve();
    await quiet();
    expect(desk.heard().at(-1)).toBe("re: run");
    expect((await readRecord(desk)).interruption).toBeUndefined();
  });

  test("makes room for one that is run with another model, and thinks otherwise", async () => {
    const desk = await openDesk({ model: "grove/large", thinking: "high" });
    await desk.says("walk");
    await interrupts(desk, "run");
    expect((await readRecord(desk)).interruption).toMatchObject({ model: "grove/large", thinkingLevel: "high" });
  });
});
