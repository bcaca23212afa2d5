import { expect, onTestFinished, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock, createStandingClock } from "../stage/hurried-clock.ts";
import { readTranscript } from "../stage/transcript.ts";

const WEB = "agent:main:webchat:dm:ada";

test("a foreign agent answers in the web chat, turn after turn in one session of its own", async () => {
  const agent = createAcpAgent();
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  // Started with the first message, not before.
  expect(agent.journal()).toEqual([]);
  await ada.says("say Good| morning, Ada.");
  await ada.hears("Good morning, Ada.");
  await ada.says("recall");
  await ada.hears("say Good| morning, Ada. / recall");
  expect(agent.journal().filter((line) => "new" in line)).toHaveLength(1);
});

test("stop reaches the foreign agent, which says no more of it, and the next message is answered", async () => {
  const agent = createAcpAgent();
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("say once upon a time;wait;say the end");
  await grove.until("the agent to speak", () => agent.journal().find((line) => "prompt" in line));
  await ada.says("/stop");
  await ada.hears("Stopped. What was said so far is kept.");
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect(agent.journal().filter((line) => "cancel" in line)).toHaveLength(1);
  const said = (await readTranscript(grove, WEB)).filter((line) => line.startsWith("assistant"));
  expect(said.join("\n")).not.toContain("the end");
});

test("a foreign agent that neither speaks nor calls a tool for ten minutes is stopped, which its person is told", async () => {
  const agent = createAcpAgent();
  const clock = createStandingClock();
  const grove = await openGrove({ config: agent.config, ports: { clock } });
  const ada = grove.web("ada");
  await ada.says("wait;say the end");
  await grove.until("the agent to begin", () => agent.journal().find((line) => "prompt" in line));
  clock.advance(600_000);
  await ada.hears(/^⚠ The agent could not finish: it neither spoke nor called a tool for 10 min/);
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect(agent.journal().filter((line) => "cancel" in line)).toHaveLength(1);
});

test("a foreign agent that hangs, deaf to the order to stop, is killed after `turnTimeoutSeconds`, and the lane goes on", async () => {
  const agent = createAcpAgent(["--load"]);
  const clock = createStandingClock();
  const main = { ...agent.config.agents.main, turnTimeoutSeconds: 5 };
  const grove = await openGrove({ config: { agents: { main } }, ports: { clock } });
  const ada = grove.web("ada");
  await ada.says("wait;say the end");
  const { pid } = await grove.until("the agent to begin", () => agent.journal().find((line) => "prompt" in line));
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
  clock.advance(4_999);
  expect(clock.waits).toContain(1);
  clock.advance(1);
  await grove.until("the person to be told", async () => {
    clock.advance(1_000);
    return (await ada.lines()).find((line) => line.includes("it neither spoke nor called a tool for 5.0 s"));
  });
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect(agent.journal().filter((line) => "prompt" in line && line.pid !== pid)).toHaveLength(1);
  expect(agent.journal().filter((line) => "cancel" in line)).toEqual([]);
  await grove.until("the agent that hangs to be killed", () => {
    clock.advance(1_000);
    return isAlive(pid) ? undefined : true;
  });
});

test("an agent that is killed in the middle ends the turn with a word, and the next turn starts it again in its session", async () => {
  const agent = createAcpAgent(["--load"]);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("say well;wait");
  const begun = await grove.until("the agent to begin", () => agent.journal().find((line) => "prompt" in line));
  process.kill(begun.pid, "SIGKILL");
  await ada.hears(/The agent node was ended by SIGKILL in the middle of its answer/);
  await ada.says("recall");
  await ada.hears("say well;wait / recall");
  expect(agent.journal().find((line) => "load" in line)?.pid).not.toBe(begun.pid);
});

test("a restart of the gateway takes the agent's session up again", async () => {
  const agent = createAcpAgent(["--resume"]);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears("heard: one");
  await grove.restart();
  await ada.says("recall");
  await ada.hears("one / recall");
  expect(agent.journal().filter((line) => "new" in line)).toHaveLength(1);
});

test("a message for a turn that runs reaches an agent that can be steered; for others it waits", async () => {
  for (const [args, answers] of [
    [["--steer"], ["and this"]],
    [[], ["heard: and this"]],
  ] as const) {
    const agent = createAcpAgent(args);
    const grove = await openGrove({ config: agent.config });
    const ada = grove.web("ada");
    await ada.says(args.length > 0 ? "listen" : "wait");
    await grove.until("the agent to begin", () => agent.journal().find((line) => "prompt" in line));
    await ada.says("and this");
    if (args.length === 0) await ada.says("/stop");
    for (const answer of answers) await ada.hears(answer);
    expect(agent.journal().some((line) => "steer" in line)).toBe(args.length > 0);
    await grove.stop();
  }
});

test("a gateway that stops in the middle of an answer has the agent go on with it after the restart, in its session", async () => {
  const agent = createAcpAgent(["--load"]);
  const grove = await openGrove({ config: agent.config, ports: { clock: createHurriedClock(10) } });
  const ada = grove.web("ada");
  await ada.says("wait;say done");
  await grove.until("the agent to begin", () => agent.journal().find((line) => "prompt" in line));
  await grove.restart();
  const prompts = () => agent.journal().flatMap((line) => ("prompt" in line ? [line.prompt] : []));
  await grove.until("the agent to go on", () => (prompts().length === 2 ? true : undefined));
  expect(prompts().at(-1)).toEqual([expect.stringMatching(/^\(You were cut off/), "wait;say done"]);
  await ada.says("/stop");
  await ada.hears(/^Stopped/);
  expect(new Set(agent.journal().map(({ pid }) => pid)).size).toBe(2);
});

test("a new conversation under the same key has a session of the agent's own, which knows nothing of the old one", async () => {
  const agent = createAcpAgent();
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("a secret");
  await ada.hears("heard: a secret");
  await ada.says("/new");
  await ada.hears(/A new conversation begins/);
  await ada.says("recall");
  await ada.hears("recall");
});

test("the agent's model and thinking are set in the foreign agent that offers them", async () => {
  const offer = ["--option", "model=small,large", "--option", "thought_level=low,high"];
  const agent = createAcpAgent(offer);
  const main = { ...agent.config.agents.main, model: "large", thinking: "high" };
  const grove = await openGrove({ config: { agents: { main } } });
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears("heard: hello");
  const set = agent.journal().flatMap((line) => ("option" in line ? [line.value] : []));
  expect(set).toEqual(["large", "high"]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
