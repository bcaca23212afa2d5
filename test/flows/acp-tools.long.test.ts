import { expect, test } from "vitest";
import { type AcpAgent, createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { readTranscript } from "../stage/transcript.ts";

const WEB = "agent:main:webchat:dm:ada";

/** What the agent was asked, over all its sessions, the oldest first. */
function listPrompts(agent: AcpAgent): readonly string[] {
  return agent.journal().flatMap((line) => (Array.isArray(line.prompt) ? [line.prompt.join("\n")] : []));
}

test.each([
  ["by HTTP", ["--http"]],
  ["by the bridge", []],
])("a foreign agent sees its tools and spawns a sub-agent through them, %s", async (_way, args) => {
  const agent = createAcpAgent(args);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("tools");
  await ada.hears(/sessions_spawn/);
  await ada.says('call sessions_spawn {"task":"say the roots hold"}');
  await ada.hears(/accepted/);
  await grove.until("its result to be told", () =>
    listPrompts(agent).find((prompt) => /^the roots hold$/m.test(prompt)),
  );
  expect((await readTranscript(grove, WEB)).filter((line) => line.includes("sessions_spawn"))).not.toEqual([]);
});

test("what its policy denies a foreign agent neither sees nor calls", async () => {
  const { config } = createAcpAgent(["--http"]);
  const main = { ...config.agents.main, tools: { deny: ["sessions_spawn", "subagents"] } };
  const grove = await openGrove({ config: { agents: { main } } });
  const ada = grove.web("ada");
  await ada.says("tools");
  await ada.hears(/,sessions_send,sessions_yield,write_file$/);
  await ada.says('call sessions_spawn {"task":"say hello"}');
  await ada.hears(/you have none of this name/);
});

test("a tool that is asked for is asked of the person, and a foreign agent hears the no", async () => {
  const { config } = createAcpAgent(["--http"]);
  const main = { ...config.agents.main, tools: { ask: ["list_files"] } };
  const grove = await openGrove({ config: { agents: { main } } });
  const ada = grove.web("ada");
  await ada.says('call list_files {"dir":"."}');
  await ada.hears(/list_files.*\/answer/s);
  await ada.says("/answer deny");
  await ada.hears(/list_files failed \(permission\)/);
});

test("a foreign agent that yields has ended its turn, and says nothing after it", async () => {
  const agent = createAcpAgent(["--http"]);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("say before;call sessions_yield;say after");
  await ada.hears("before");
  await ada.says("say next");
  await ada.hears("next");
  expect((await readTranscript(grove, WEB)).filter((line) => line.startsWith("assistant"))).toEqual([
    "assistant: before",
    "assistant: next",
  ]);
});

test("a foreign agent that is cut off behind a call and makes it again has its answer, and one sub-agent", async () => {
  const agent = createAcpAgent(["--http", "--resume"]);
  const grove = await openGrove({ config: agent.config, ports: { clock: createHurriedClock(10) } });
  const ada = grove.web("ada");
  await ada.says('call sessions_spawn {"task":"wait","label":"oak"};wait');
  const results = () => agent.journal().flatMap((line) => (typeof line.result === "string" ? [line.result] : []));
  await grove.until("the first answer", () => results()[0]);
  await grove.restart();
  await grove.until("the second answer", () => results()[1]);
  expect(results()[1]).toBe(results()[0]);
  expect(results()[0]).toMatch(/accepted/);
  expect(await grove.read((read) => read.runs({ limit: 9 }))).toHaveLength(1);
});

test("what a foreign agent was given for its tools is worth nothing from a new conversation on, before anything is said in it", async () => {
  const agent = createAcpAgent(["--http", "--close"]);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("say hello");
  await ada.hears("hello");
  const begun = agent.journal().find((line) => "new" in line);
  const [, url = "", bearer = ""] = /"url":"([^"]+)".*"(Bearer [^"]+)"/.exec(JSON.stringify(begun?.servers)) ?? [];
  const knock = async () => (await fetch(url, { method: "POST", headers: { authorization: bearer } })).status;
  expect(await knock()).toBe(400);
  await ada.says("/new");
  await ada.hears(/A new conversation begins/);
  await grove.until("the agent to close it", () => agent.journal().find((line) => line.close === begun?.new));
  expect(await knock()).toBe(401);
});
