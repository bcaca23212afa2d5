import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { AgentDesk } from "../desk/agent-desk.ts";

test("an agent works in an empty folder of the conversation's own, and is offered no files and no terminal", async () => {
  const desk = new AgentDesk();
  const folder = join(desk.folder, "work", "main");
  const own = join(folder, "5f0c0000-0000-4000-8000-000000000001");
  expect((await desk.says("where")).text).toBe(`${join(folder, "process")} ${own} 0`);
  expect(desk.journal[0]?.initialize).toMatchObject({
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
  });
});

test("an agent's environment holds what is allowed and nothing else", async () => {
  const desk = new AgentDesk({ env: { TELEGRAM_BOT_TOKEN: "12:secret", MINE: "1" }, settings: { env: ["MINE"] } });
  expect((await desk.says("env")).text).toBe("MINE,PATH");
});

test("two conversations share one process, each with a session of its own", async () => {
  const desk = new AgentDesk();
  await desk.says("say one", { sessionId: "a" });
  await desk.says("say two", { sessionId: "b" });
  expect(new Set(desk.journal.map(({ pid }) => pid)).size).toBe(1);
  expect(desk.journal.filter((line) => "new" in line)).toHaveLength(2);
});

test("two agents have a process each, also of one program", async () => {
  const desk = new AgentDesk();
  await desk.says("say one");
  await desk.says("say two", { agentId: "other", sessionKey: "agent:other:grove:dm:1", sessionId: "b" });
  expect(new Set(desk.journal.map(({ pid }) => pid)).size).toBe(2);
});

test("an agent that nobody talks with for five minutes is ended, and the next turn starts it again", async () => {
  const desk = new AgentDesk({ isManual: true, args: ["--resume"] });
  await desk.says("say one");
  const pid = Number(desk.journal[0]?.pid);
  desk.turns.clock.advance(5 * 60_000 - 1);
  expect(isAlive(pid)).toBe(true);
  desk.turns.clock.advance(1);
  while (isAlive(pid)) await setImmediate();
  expect((await desk.says("recall")).text).toBe("say one / recall");
});

test("closing the runtime leaves nothing behind, not even what an agent has started", async () => {
  const desk = new AgentDesk();
  await desk.says("spawn");
  const started = desk.journal.flatMap((line) => [Number(line.pid), Number(line.grandchild ?? line.pid)]);
  expect(new Set(started).size).toBe(2);
  await desk.runtime.close?.();
  while (started.some(isAlive)) await setImmediate();
});

test("a command that is not there is an error that says so", async () => {
  const desk = new AgentDesk({ settings: { agent: { command: "no-such-agent", args: [] } } });
  await expect(desk.open()).rejects.toThrow(
    "The agent no-such-agent was started: The agent no-such-agent could not be started: there is no command no-such-agent; install it",
  );
});

test("an agent that speaks another version of the protocol is refused and ended", async () => {
  const desk = new AgentDesk({ args: ["--version", "9"] });
  await expect(desk.open()).rejects.toThrow("it speaks version 9 of the protocol");
  expect(isAlive(Number(desk.journal[0]?.pid))).toBe(false);
});

test("an agent that is not ready in time is ended", async () => {
  const desk = new AgentDesk({ isManual: true, args: ["--silent"] });
  const opening = desk.open();
  const failed = expect(opening).rejects.toThrow("it was not ready after 25 s");
  await desk.turns.clock.awaitAlarm(25_000);
  while (desk.journal.length === 0) await setImmediate();
  desk.turns.clock.advance(25_000);
  await failed;
  expect(isAlive(Number(desk.journal[0]?.pid))).toBe(false);
});

test("an agent that begins no session holds nobody up who gives up waiting, and is ended", async () => {
  const desk = new AgentDesk({ args: ["--sessionless"] });
  const waiting = new AbortController();
  const opening = desk.open({}, desk.runtime, undefined, waiting.signal);
  const failed = expect(opening).rejects.toThrow("nobody waits");
  while (!desk.journal.some((line) => line.hangs === true)) await setImmediate();
  waiting.abort(new Error("nobody waits"));
  await failed;
  const pid = Number(desk.journal[0]?.pid);
  while (isAlive(pid)) await setImmediate();
});

test("an agent that dies again and again is started later each time", async () => {
  const desk = new AgentDesk({ isManual: true });
  const { clock } = desk.turns;
  for (const waitMs of [undefined, 500, 1_000, 2_000]) {
    const turn = desk.says("die");
    if (waitMs !== undefined) {
      await clock.awaitAlarm(waitMs);
      clock.advance(waitMs);
    }
    expect((await turn).end).toMatch(/^error true/);
    // The first death is free.
    if (waitMs === undefined) expect((await desk.says("die")).end).toMatch(/^error true/);
  }
});

test("what an agent writes to its standard error is in the log, so many lines a minute", async () => {
  const desk = new AgentDesk();
  await desk.says(`${Array.from({ length: 100 }, (_, at) => `complain line ${at}`).join(";")}`);
  while (!desk.turns.logged.some((message) => message.includes("the rest of this minute"))) await setImmediate();
  const told = desk.turns.logged.filter((message) => message === "an agent wrote to its standard error");
  expect(told).toHaveLength(60);
});

test("each session is set to the mode, also one that stands open; one that is not offered is refused", async () => {
  const desk = new AgentDesk({ args: ["--modes", "plan,ask"], settings: { mode: "plan" } });
  expect((await desk.says("mode")).text).toBe("plan");
  await desk.says("mode");
  expect(desk.journal.filter((line) => line.mode === "plan")).toHaveLength(2);
  const other = new AgentDesk({ args: ["--modes", "plan,ask"], settings: { mode: "yolo" } });
  await expect(other.open()).rejects.toThrow('it has no mode "yolo"; it offers plan, ask; set acp.mode');
  const unset = new AgentDesk({ args: ["--modes", "plan,ask"], settings: { profile: "chat-safe" } });
  await expect(unset.open()).rejects.toThrow("none is set for the profile; it offers plan, ask");
});

test("where anybody can write an agent without a profile is not started, whatever was checked before", async () => {
  const desk = new AgentDesk({ settings: { profile: undefined } });
  await expect(desk.open({ audience: "anybody" })).rejects.toThrow(
    "The agent main was started: anybody can write in this chat, and agents.main.acp.profile does not say",
  );
  expect(desk.journal).toEqual([]);
  expect((await desk.says("say hello", { audience: "known" })).text).toBe("hello");
});

/** As the system sees it; one that has ended and was not waited for counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
