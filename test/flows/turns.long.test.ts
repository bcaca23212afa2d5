import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, createGate, end, fail, hang, say, type TurnScript } from "@banyan/runtime-demo";
import { expect, onTestFinished, test } from "vitest";
import { CrashWorld } from "../crash/crash-world.ts";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { readTranscript } from "../stage/transcript.ts";

const SESSION = "agent:main:webchat:dm:ada";
const NOTHING = { agents: { main: { runtime: "demo" } } };

/** Fails at the first passes of a point, as if the process had been cut off there. */
function createCutOff(point: string, times: number): (passed: string) => void {
  let left = times;
  return (passed) => {
    if (passed !== point || left === 0) return;
    left -= 1;
    throw new Error(`cut off at ${point}`);
  };
}

test("a message whose turn kills the process five times is set aside, and the sender is told which one", async () => {
  const world = await CrashWorld.open();
  onTestFinished(() => world.close());
  await world.ada.says("count words in docs");
  await world.ada.says("calc 6*7");
  for (const attempt of [1, 2, 3, 4, 5]) {
    const gateway = await world.start({ point: "T3.before", hit: 1 });
    await gateway.died(`attempt ${attempt}`);
  }
  await world.start();
  const told = await world.ada.hears(/was set aside/);
  expect(told.text).toBe(
    "⚠ Your message “count words in docs” was set aside: the gateway crashed 3 times while working on it. Send it again to try once more.",
  );
  await world.ada.hears("6*7 = 42");
  await world.ada.says("count words in docs");
  await world.ada.hears(/6 words in 2 files/);
  expect(await world.ada.messages()).toHaveLength(3);
});

test("a turn that is cut off twice is run again, and answered once", async () => {
  const agent = createScriptedAgent((turn) => say(`attempt ${turn.input.attempt}`));
  const grove = await openGrove({ ...agent, ports: { faultPoint: createCutOff("T3.before", 2) } });
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears("attempt 3");
  expect(await ada.lines()).toEqual(["user: hello", "assistant: attempt 3"]);
  expect(agent.record.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

test("a cut-off turn gets the results of its earlier calls by their numbers, and no tool runs twice", async () => {
  const agent = createScriptedAgent(() => [
    call("read_file", { path: "note.txt" }),
    call("read_file", { path: "note.txt" }),
    ...say("done"),
  ]);
  const ran: number[] = [];
  const grove = await openGrove({
    ...agent,
    files: { "note.txt": "as it was" },
    ports: { faultPoint: createCutOff("T3.before", 1) },
  });
  grove.open.gateway.hooks.before_tool_call.tap("count", ({ call: { ordinal } }) => {
    ran.push(ordinal);
    writeFileSync(join(grove.folder, "note.txt"), `read ${ran.length} times`);
    return undefined;
  });
  const ada = grove.web("ada");
  await ada.says("read it");
  await ada.hears("done");
  expect(ran).toEqual([0, 1]);
  const [first, second] = agent.record.of(SESSION);
  expect(second?.committedCalls).toHaveLength(2);
  expect(second?.toolResults).toEqual(first?.toolResults);
  expect(await readTranscript(grove, SESSION)).toEqual([
    "user: read it",
    "tool_call: read_file",
    expect.stringMatching(/^tool_result: read_file .*read 1 times/s),
    "tool_call: read_file",
    expect.stringMatching(/^tool_result: read_file .*read 2 times/s),
    "assistant: done",
  ]);
});

test("a cut-off turn that calls something else under an old number is told so, and nothing runs", async () => {
  const agent = createScriptedAgent((turn) => [
    call("read_file", { path: turn.input.attempt === 1 ? "note.txt" : "other.txt" }),
    ...say("done"),
  ]);
  const grove = await openGrove({
    ...agent,
    files: { "note.txt": "a note", "other.txt": "something else" },
    ports: { faultPoint: createCutOff("T3.before", 1) },
  });
  const ada = grove.web("ada");
  await ada.says("read it");
  await ada.hears("done");
  expect(agent.record.of(SESSION)[1]?.toolResults).toEqual([
    { isError: true, text: expect.stringContaining("in an earlier attempt; go on with a new ordinal") },
  ]);
});

test.each<{ what: string; script: TurnScript; hears: RegExp }>([
  {
    what: "an agent that fails",
    script: [fail("the model is overloaded")],
    hears: /^⚠ The agent could not finish: the model is overloaded\. Your message is kept; write again to continue\.$/,
  },
  {
    what: "an agent that fails in the middle",
    script: [...say("so far"), fail("the line broke")],
    hears: /^so far\n\n⚠ The agent could not finish: the line broke\./,
  },
  { what: "an agent that says nothing", script: [end()], hears: /^The agent ended without an answer\.$/ },
  { what: "an agent that says only blanks", script: say(" \n"), hears: /^The agent ended without an answer\.$/ },
  {
    what: "an agent whose program breaks",
    script: async () => {
      throw new TypeError("secret internals");
    },
    hears: /^⚠ The agent's program failed; the log says why\./,
  },
])("$what leaves nobody waiting, and the next message is answered", async ({ script, hears }) => {
  const agent = createScriptedAgent([script, say("better now")]);
  const grove = await openGrove(agent);
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears(hears);
  await ada.says("again");
  await ada.hears("better now");
  expect(agent.record.attempts.map(({ attempt }) => attempt)).toEqual([1, 1]);
});

test("a runtime that could not be opened is tried again with the next message", async () => {
  const agent = createScriptedAgent(() => say("here I am"));
  let tries = 0;
  const scripted = async () => {
    tries += 1;
    if (tries === 1) throw new Error("the model's server is away");
    const made = await agent.runtimes.scripted?.();
    if (made === undefined) throw new Error("there is no agent");
    return made;
  };
  const grove = await openGrove({ config: agent.config, runtimes: { scripted } });
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears(/could not finish: the model's server is away/);
  await ada.says("and now?");
  await ada.hears("here I am");
});

test("one conversation that hangs keeps no other waiting", async () => {
  const gate = createGate();
  onTestFinished(() => gate.open());
  const agent = createScriptedAgent((turn) =>
    turn.spec.sessionKey === SESSION ? [hang(gate), ...say("late")] : say("at once"),
  );
  const grove = await openGrove(agent);
  await grove.web("ada").says("hello");
  await gate.reached;
  await grove.web("bob").says("hello");
  await grove.web("bob").hears("at once");
  gate.open();
  await grove.web("ada").hears("late");
});

test("the built-in agent counts the words of a folder with the real tools", async () => {
  const grove = await openGrove({ config: NOTHING });
  mkdirSync(join(grove.folder, "docs", "deep"), { recursive: true });
  writeFileSync(join(grove.folder, "docs", "a.md"), "one two three");
  writeFileSync(join(grove.folder, "docs", "deep", "b.md"), "four five");
  const ada = grove.web("ada");
  await ada.says("count words in docs");
  const heard = await ada.hears(/words/);
  expect(heard.text).toContain("docs/ has 5 words in 2 files; the longest is docs/a.md (3).");
});

test.each(["/etc", "..", "../..", "outside", "state"])(
  "the agent gets nothing of %s, which is not its workspace",
  async (dir) => {
    const outside = mkdtempSync(join(tmpdir(), "banyan-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(outside, "passwd"), "canary one two three");
    const grove = await openGrove({ config: NOTHING });
    symlinkSync(outside, join(grove.folder, "outside"));
    const ada = grove.web("ada");
    await ada.says(`count words in ${dir}`);
    const heard = await ada.hears(/./);
    expect(heard.text).toMatch(/^I can't list .*(outside|workspace|permission)/);
    expect((await readTranscript(grove, SESSION)).join("\n")).not.toMatch(/passwd|banyan\.db|token/);
  },
);
