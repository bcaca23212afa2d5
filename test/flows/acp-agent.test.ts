import { expect, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";
import { readTranscript } from "../stage/transcript.ts";

const WEB = "agent:main:webchat:dm:ada";

test("a foreign agent answers in the web chat, turn after turn in one session of its own", async () => {
  const agent = createAcpAgent();
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
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
