import { setImmediate } from "node:timers/promises";
import type { AcpProfile, AcpRecord, AcpSettings } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { AgentDesk, type DeskOptions } from "../desk/agent-desk.ts";

const MINUTE_MS = 60_000;
const ONE = { sessionKey: "agent:main:grove:dm:1", sessionId: "5f0c0000-0000-4000-8000-000000000001" };
const OTHER = { sessionKey: "agent:main:grove:dm:2", sessionId: "5f0c0000-0000-4000-8000-000000000002" };

/** Two conversations with one agent, each with what it has kept; the clock stands. */
async function openTwo(options: DeskOptions) {
  const desk = new AgentDesk({ isManual: true, ...options });
  const kept = new Map<string, AcpRecord>();
  const says = async (text: string, who: typeof ONE) => {
    const acp = kept.get(who.sessionKey);
    const said = await desk.says(text, acp === undefined ? who : { ...who, acp });
    const last = desk.kept.at(-1);
    if (last !== undefined) kept.set(who.sessionKey, last);
    return said.text;
  };
  await says("say one", ONE);
  await says("say other", OTHER);
  return { desk, says, closed: () => desk.journal.flatMap((line) => ("close" in line ? [line.close] : [])) };
}

test("a session that nobody talks in for five minutes is closed, and the next turn takes it up again; its agent stays", async () => {
  const { desk, says, closed } = await openTwo({ args: ["--resume", "--close"] });
  desk.turns.clock.advance(4 * MINUTE_MS);
  await says("say other", OTHER);
  desk.turns.clock.advance(MINUTE_MS);
  const [first] = desk.journal.flatMap((line) => ("new" in line ? [line.new] : []));
  while (closed().length === 0) await setImmediate();
  expect(closed()).toEqual([first]);
  expect(await says("recall", ONE)).toBe("say one / recall");
  expect(desk.journal.flatMap((line) => ("resume" in line ? [line.resume] : []))).toEqual([first]);
  expect(new Set(desk.journal.map(({ pid }) => pid)).size).toBe(1);
});

test.each([
  ["taken up again", ["--close"]],
  ["closed", ["--resume"]],
])("one that could not be %s stands as long as its agent", async (_what, args) => {
  const { desk, says, closed } = await openTwo({ args });
  desk.turns.clock.advance(4 * MINUTE_MS);
  await says("say other", OTHER);
  desk.turns.clock.advance(MINUTE_MS);
  expect(await says("recall", ONE)).toBe("say one / recall");
  expect(closed()).toEqual([]);
  expect(desk.journal.filter((line) => "resume" in line)).toEqual([]);
});

test("one that its conversation does not go on in, as where it was set back, is closed as the next one begins", async () => {
  const { desk, says, closed } = await openTwo({ args: ["--close"] });
  desk.kept.splice(0);
  await desk.says("say anew", ONE);
  while (closed().length === 0) await setImmediate();
  const [first] = desk.journal.flatMap((line) => ("new" in line ? [line.new] : []));
  expect(closed()).toEqual([first]);
  expect(await says("recall", OTHER)).toBe("say other / recall");
});

test("that of a conversation that is over is closed at once, and no other", async () => {
  const { desk, says, closed } = await openTwo({ args: ["--close"] });
  desk.runtime.endSession?.(ONE, { log: desk.turns.log });
  while (closed().length === 0) await setImmediate();
  const [first] = desk.journal.flatMap((line) => ("new" in line ? [line.new] : []));
  expect(closed()).toEqual([first]);
  expect(await says("recall", OTHER)).toBe("say other / recall");
});

test("one that was opened anew, behind a turn under another profile, is not closed when the time of the one before is over", async () => {
  const settings: Partial<AcpSettings> & { profile: AcpProfile } = { profile: "ask", mode: "safe" };
  const desk = new AgentDesk({ isManual: true, args: ["--resume", "--close", "--http", "--modes", "safe"], settings });
  const tools = [{ name: "sessions_spawn", description: "Spawns.", parameters: { type: "object" } }];
  const says = async (profile: AcpProfile, text: string) => {
    settings.profile = profile;
    return desk.says(text, { tools });
  };
  await says("ask", "say one");
  // Its way to the tools goes to another process, and the one before leads nowhere.
  await says("chat-safe", "say two");
  desk.turns.clock.advance(4 * MINUTE_MS);
  await says("ask", "say three");
  const asking = desk.journal.find((line) => "new" in line)?.pid;
  desk.turns.clock.advance(2 * MINUTE_MS);
  expect((await says("ask", "say four")).text).toBe("four");
  const ofAsking = desk.journal.filter(({ pid }) => pid === asking);
  expect(ofAsking.filter((line) => "close" in line)).toEqual([]);
  expect(ofAsking.filter((line) => "resume" in line)).toHaveLength(1);
});
