import { describe, expect, it } from "vitest";
import { ThreadAccount } from "./timers/thread-account.ts";
import { addressOf, TreeDesk } from "./tree-desk.ts";

const MINUTES_MS = 20 * 60_000;

/** Main asks a and b in one turn, keeps silent about the first and answers when it knows both. */
async function openPair(spawn: { readonly a?: object; readonly b?: object } = {}) {
  const desk = await new TreeDesk().start();
  const late = Promise.withResolvers<string>();
  desk.plays(/^split/, async ({ call }) => {
    await call("sessions_spawn", { task: "part a", label: "a", ...spawn.a });
    await call("sessions_spawn", { task: "part b", label: "b", ...spawn.b });
    return "two are at work";
  });
  desk.plays(/^part a/, () => "A");
  desk.plays(/^part b/, () => late.promise);
  desk.plays(/sub-agent/, async ({ input }) => {
    const known = (await input.history()).filter(({ kind }) => kind === "completion").length + input.input.length;
    return known < 2 ? "NO_REPLY" : "both are done";
  });
  return { desk, late };
}

describe("of two sub-agents of one turn", () => {
  it("the last one asks for silence, and the merged answer comes all the same", async () => {
    const { desk, late } = await openPair();
    await desk.says("split");
    late.resolve("ANNOUNCE_SKIP");
    await desk.rest();
    await desk.later(MINUTES_MS);
    expect(desk.heard()).toEqual(["two are at work", "both are done"]);
  });

  it("one is only to be noted: the other is told of at once", async () => {
    const { desk } = await openPair({ b: { expectsCompletionMessage: false } });
    await desk.says("split");
    expect(desk.heard()).toEqual(["two are at work", expect.stringMatching(/^✅ \*\*a\*\*/)]);
  });

  it("one is told of in another chat: it is told there, and the answer tells of the other", async () => {
    const { desk, late } = await openPair();
    desk.gateway.hooks.subagent_delivery_target.tap("to eve", ({ completion }) =>
      completion.label === "a" ? addressOf("eve") : undefined,
    );
    await desk.says("split");
    late.resolve("B");
    await desk.rest();
    await desk.later(MINUTES_MS);
    expect(desk.heard()).toEqual(["two are at work", "both are done"]);
    expect(desk.heardAt(addressOf("eve"))).toEqual([expect.stringMatching(/^✅ \*\*a\*\* .*\n\nA$/s)]);
  });

  it("one has its own conversation begun anew: the merged answer comes", async () => {
    const { desk, late } = await openPair();
    await desk.says("split");
    await desk.says("/focus b");
    await desk.says("/new");
    await desk.says("/unfocus");
    late.resolve("never heard");
    await desk.later(MINUTES_MS);
    expect(desk.heard()).toContain("both are done");
    expect(desk.heard().filter((text) => text.startsWith("✅ **a**"))).toEqual([]);
  });
});

it("a tap that leaves no words of an answer does not swallow what it tells of", async () => {
  const desk = await new TreeDesk().start();
  desk.plays(/^count/, async ({ call }) => {
    await call("sessions_spawn", { task: "look", label: "docs" });
    return "asked";
  });
  desk.plays(/^look/, () => "12 files");
  desk.plays(/“docs”/, () => "It found 12.");
  desk.gateway.hooks.message_sending.tap("mute", ({ text }) =>
    text.startsWith("It found") ? { text: " " } : undefined,
  );
  await desk.says("count");
  await desk.later(MINUTES_MS);
  expect(desk.heard()).toEqual(["asked", "It found 12."]);
});

it("what a sub-agent was asked for in a chat that was turned to it is told there, also when it is its own again", async () => {
  const desk = await new TreeDesk({ threads: new ThreadAccount() }).start();
  const late = Promise.withResolvers<string>();
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "be there", label: "m", thread: true, mode: "session" });
    return "asked";
  });
  desk.plays(/^be there/, () => "here I am");
  desk.plays(/^please/, async ({ call }) => {
    await call("sessions_spawn", { task: "look", label: "w" });
    return "I look";
  });
  desk.plays(/^look/, () => late.promise);
  await desk.says("go");
  await desk.says("/focus m");
  await desk.says("please");
  await desk.says("/unfocus");
  late.resolve("12 files");
  await desk.later(MINUTES_MS);
  expect(desk.heard()).toContainEqual(expect.stringMatching(/^✅ \*\*w\*\* .*12 files$/s));
  expect(desk.sent.filter(({ address, text }) => address !== addressOf("ada") && text.includes("12 files"))).toEqual(
    [],
  );
});
