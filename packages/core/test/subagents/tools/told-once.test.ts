import { describe, expect, it } from "vitest";
import { readSpawned, TreeDesk } from "../tree-desk.ts";

/** A sub-agent that is done, and an agent that asks it something more and says what it hears. */
async function openDesk(): Promise<TreeDesk> {
  const desk = await new TreeDesk().start();
  let sessionKey = "";
  desk.plays(/^go/, async ({ call }) => {
    sessionKey = readSpawned(await call("sessions_spawn", { task: "work", label: "m" })).childSessionKey;
    return "asked";
  });
  desk.plays(/“m”/, ({ input }) => `It is done: ${input.input[0]?.completion?.result}`);
  await desk.says("go");
  desk.plays(/^ask/, async ({ call }) => {
    const { text } = await call("sessions_send", { sessionKey, message: "what is it?" });
    return `It says ${JSON.parse(text).reply}`;
  });
  desk.plays(/^what/, () => "42");
  return desk;
}

describe("a reply that was waited for", () => {
  it("is told of by the answer that it was asked for", async () => {
    const desk = await openDesk();
    desk.plays(/“m”/, () => "NO_REPLY");
    await desk.says("ask it");
    await desk.later(20 * 60_000);
    expect(desk.heard()).toEqual(["asked", "It is done: re: work", "It says 42"]);
    expect((await desk.runs()).map(({ settledBy }) => settledBy)).toEqual(["parent", "parent"]);
  });

  it("is told of by what comes behind it where the turn that got it said nothing", async () => {
    const desk = await openDesk();
    desk.plays(/^ask/, async ({ call }) => {
      const [run] = await desk.runs();
      await call("sessions_send", { sessionKey: run?.childSessionKey, message: "what is it?" });
      return "NO_REPLY";
    });
    await desk.says("ask it");
    await desk.later(20 * 60_000);
    expect(desk.heard().at(-1)).toBe("It is done: 42");
  });

  it("is told of by the host where the turn that got it failed and nothing came behind it", async () => {
    const desk = await openDesk();
    desk.plays(/“m”/, () => "NO_REPLY");
    desk.plays(/^ask/, async ({ call }) => {
      const [run] = await desk.runs();
      await call("sessions_send", { sessionKey: run?.childSessionKey, message: "what is it?" });
      throw new Error("model down");
    });
    await desk.says("ask it");
    await desk.later(20 * 60_000);
    expect(desk.heard().at(-1)).toMatch(/^✅ \*\*m\*\* .*\n\n42$/);
  });
});
