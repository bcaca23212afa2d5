import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { expect, it } from "vitest";
import type { QueueSetting } from "../../src/config/shapes/queue-config.ts";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { CoreDesk } from "./core-desk.ts";
import { aborted, says } from "./played-runtime.ts";

/** Messages to the same store, over as many processes as it takes. Whoever's text has "poison" ends the process. */
class Lives {
  readonly data: InlineDatabase = openTestData();
  readonly queue: QueueSetting;
  /** What agents were asked, one line each, over all lives. */
  readonly asked: string[] = [];
  /** What people were told, over all lives. */
  readonly heard: string[] = [];
  deaths = 0;
  /** What the agent does before it answers. */
  act: (desk: CoreDesk, text: string) => Promise<unknown> = async () => undefined;

  constructor(queue: QueueSetting = {}) {
    this.queue = queue;
  }

  async open(): Promise<CoreDesk> {
    const desk = await new CoreDesk({ data: this.data }).connect();
    desk.queue = this.queue;
    desk.answered = async ({ text }) => void this.heard.push(text);
    desk.runtime.play = (turn) => this.#play(desk, turn);
    return desk;
  }

  async *#play(desk: CoreDesk, { input, signal }: Parameters<CoreDesk["runtime"]["play"]>[0]) {
    const text = input.input.map((message) => message.text).join(" + ");
    this.asked.push(text);
    await this.act(desk, text);
    if (text.includes("poison")) await aborted(signal);
    yield* says(`re: ${text}`);
  }

  /** The process of the desk dies; the next one takes up what it left. */
  async die(): Promise<CoreDesk> {
    this.deaths += 1;
    const desk = await this.open();
    await desk.store.commit({ step: "recover", owner: `after death ${this.deaths}` });
    await desk.lanes.resume();
    await desk.ports.clock.advance(5_000);
    await quiet();
    return desk;
  }
}

const QUARANTINED =
  "⚠ Your message “poison” was set aside: the gateway crashed 3 times while working on it. Send it again to try once more.";

it("a message that ends the process is quarantined at its fifth death; its sender is told in one plain line", async () => {
  const lives = new Lives();
  const first = await lives.open();
  await first.says("poison");
  for (let death = 1; death <= 4; death += 1) await lives.die();
  expect(lives.heard).toEqual([]);
  await lives.die();
  expect(lives.heard).toEqual([QUARANTINED]);
  expect(lives.asked).toHaveLength(5);
  expect((await lives.die()).heard()).toEqual([]);
});

it("a turn that an orderly stop cuts off has nothing counted", async () => {
  const lives = new Lives();
  await (await lives.open()).says("poison");
  let desk = await lives.die();
  for (let stop = 0; stop < 20; stop += 1) {
    await desk.turns.releaseAll();
    desk = await lives.open();
    await desk.lanes.resume();
    await desk.ports.clock.advance(5_000);
    await quiet();
  }
  expect(lives.heard).toEqual([]);
  expect((await desk.store.read.openItems({ lane: "agent:main:irc:dm:ada", limit: 9 }))[0]).toMatchObject({
    attempt: 1,
    deaths: 1,
  });
});

it("of messages that one turn collects the right one is found within five deaths; the others are answered", async () => {
  const lives = new Lives({ mode: "collect" });
  const gate = Promise.withResolvers<void>();
  lives.act = async (_desk, text) => void (text === "walk" && (await gate.promise));
  const first = await lives.open();
  await first.says("walk");
  for (const [id, text] of [
    ["a", "one"],
    ["b", "poison"],
    ["c", "three"],
  ] as const)
    await first.receive([first.message(text, { id })]);
  gate.resolve();
  await quiet();
  expect(lives.asked).toEqual(["walk", "one + poison + three"]);
  for (let death = 1; death <= 5; death += 1) await lives.die();
  expect(lives.heard).toEqual(["re: walk", "re: one", QUARANTINED, "re: three"]);
});

it("a suspect is steered with nothing: what came meanwhile has a turn of its own", async () => {
  const lives = new Lives({ mode: "collect" });
  const first = await lives.open();
  await first.says("poison");
  await first.receive([first.message("innocent", { id: "b" })]);
  for (let death = 1; death <= 5; death += 1) await lives.die();
  expect(lives.heard).toEqual([QUARANTINED, "re: innocent"]);
});

it("a turn that commits a result in each life is never a suspect, however often the process dies", async () => {
  const lives = new Lives();
  const first = await lives.open();
  let call = 0;
  first.runtime.play = async function* ({ input }) {
    await input.callTool({ ordinal: 0, name: "look", args: {} });
    await new Promise(() => undefined);
    yield* says("never");
  };
  await first.says("walk");
  for (let death = 1; death <= 20; death += 1) {
    const desk = await lives.open();
    desk.runtime.play = async function* ({ input }) {
      call = input.committedCalls.length;
      await input.callTool({ ordinal: call, name: "look", args: {} });
      if (death < 20) await new Promise(() => undefined);
      yield* says(`seen ${call + 1} times`);
    };
    await desk.store.commit({ step: "recover", owner: `after death ${death}` });
    await desk.lanes.resume();
    await desk.ports.clock.advance(5_000);
    await quiet();
  }
  expect(lives.heard).toEqual(["seen 21 times"]);
});

it("a call that only begins is no progress: a tool that ends the process is found", async () => {
  const lives = new Lives();
  const play = (desk: CoreDesk) => {
    desk.runTool = () => new Promise(() => undefined);
    desk.runtime.play = async function* ({ input }) {
      lives.asked.push("poison");
      await input.callTool({ ordinal: 0, name: "look", args: {} });
      yield* says("never");
    };
  };
  const first = await lives.open();
  play(first);
  await first.says("poison");
  for (let death = 1; death <= 5; death += 1) {
    const desk = await lives.open();
    play(desk);
    await desk.store.commit({ step: "recover", owner: `after death ${death}` });
    await desk.lanes.resume();
    await desk.ports.clock.advance(5_000);
    await quiet();
  }
  expect([lives.heard, lives.asked.length]).toEqual([[QUARANTINED], 5]);
});
