import { expect, test } from "vitest";
import { type AcpAgent, createAcpAgent } from "../stage/acp-agent.ts";
import { createForeman } from "../stage/foreman.ts";
import { type Grove, openGrove } from "../stage/grove.ts";

const CODER = { agentId: "coder", runtime: "acp" };

/** A foreman of our own beside the foreign agent `coder`. */
async function openShop(agent: AcpAgent, more: Readonly<Record<string, unknown>> = {}): Promise<Grove> {
  const { runtimes } = createForeman();
  const main = { runtime: "scripted", default: true, subagents: { allowAgents: ["coder"] } };
  return openGrove({ runtimes, config: { ...more, agents: { main, coder: agent.config.agents.main } } });
}

/** The ids of the foreign agent's sessions, in the order in which they were begun. */
const begun = (agent: AcpAgent): readonly string[] =>
  agent.journal().flatMap((line) => (typeof line.new === "string" ? [line.new] : []));

const ask = (task: string, more: object = {}) => `sessions_spawn ${JSON.stringify({ ...CODER, task, ...more })}`;

test.each([
  ["resumes", ["--resume"]],
  ["loads", ["--load"]],
])(
  "a spawn goes on in the session of a sub-agent that has ended, which the agent %s, and is told whom it works for",
  async (_way, args) => {
    const agent = createAcpAgent(args);
    const grove = await openShop(agent);
    const ada = grove.web("ada");
    await ada.says("say the first half");
    await ada.hears("done: the first half");
    const [id = ""] = begun(agent);
    const { childSessionKey: sessionKey } = await readFirstRun(grove);
    await ada.says(`session_status ${JSON.stringify({ sessionKey })}`);
    await ada.hears(new RegExp(`"sessionId":"${id}"`));
    await ada.says(ask("recall", { resumeSessionId: id }));
    await ada.hears(/accepted/);
    await ada.hears("done: say the first half / recall");
    await grove.rests();
    expect(begun(agent)).toEqual([id]);
    const [, second] = agent.journal().flatMap((line) => (Array.isArray(line.prompt) ? [line.prompt] : []));
    expect(second).toEqual([expect.stringMatching(/^Instructions of the operator:\n## You are a sub-agent/), "recall"]);
    // And again, from the one that has it now, in another process.
    await grove.restart();
    await ada.says(ask("recall", { resumeSessionId: id }));
    await ada.hears("done: say the first half / recall / recall");
    expect(begun(agent)).toEqual([id]);
  },
);

test("whoever gave a session up begins another one, with what was said before", async () => {
  const agent = createAcpAgent(["--resume"]);
  const grove = await openShop(agent);
  const ada = grove.web("ada");
  await ada.says("say the first half");
  await ada.hears("done: the first half");
  const [id = ""] = begun(agent);
  await ada.says(ask("say the other half", { resumeSessionId: id }));
  await ada.hears("done: the other half");
  const { childSessionKey: sessionKey } = await readFirstRun(grove);
  await ada.says(`sessions_send ${JSON.stringify({ sessionKey, message: "recall", timeoutSeconds: 9 })}`);
  await ada.hears(/"reply":"recall"/);
  expect(begun(agent)).toHaveLength(2);
  // Two that go on at once share no folder.
  const rows = await grove.read((read) => read.sessions({ limit: 9 }));
  const folders = rows.flatMap(({ body }): readonly string[] => JSON.parse(body).acp?.cwd ?? []);
  expect([folders.length, new Set(folders).size]).toEqual([2, 2]);
  const last = agent.journal().findLast((line) => "prompt" in line)?.prompt;
  expect(JSON.stringify(last)).toContain("you: the first half");
});

test("a program that takes no session up again is not asked to", async () => {
  const agent = createAcpAgent();
  const grove = await openShop(agent);
  const ada = grove.web("ada");
  await ada.says("say one");
  await ada.hears("done: one");
  await ada.says(ask("recall", { resumeSessionId: begun(agent)[0] }));
  await ada.hears(/resume_unfit.*the program node takes no session up again/s);
});

test("a session that its agent does not know any more is not replaced by another one", async () => {
  const agent = createAcpAgent(["--resume", "--forgetful"]);
  const grove = await openShop(agent);
  const ada = grove.web("ada");
  await ada.says("say the first half");
  await ada.hears("done: the first half");
  const [id = ""] = begun(agent);
  await ada.says(ask("recall", { resumeSessionId: id }));
  await ada.hears(/^failed: /);
  expect(begun(agent)).toEqual([id]);
  expect(grove.log.join("\n")).toContain("it does not know that session any more; spawn without resumeSessionId");
});

test("attack 6: the session of another person's sub-agent is as unknown as one that is nowhere", async () => {
  const agent = createAcpAgent(["--resume"]);
  // However much its tools may see otherwise.
  const grove = await openShop(agent, {
    tools: { sessions: { visibility: "all" }, agentToAgent: { enabled: true, allow: ["*"] } },
  });
  const ada = grove.web("ada");
  const eve = grove.web("eve");
  await ada.says("say a secret");
  await ada.hears("done: a secret");
  const [id = ""] = begun(agent);
  await eve.says(ask("recall", { resumeSessionId: id }));
  const { text } = await eve.hears(/resume_unknown/);
  await eve.says(ask("recall", { resumeSessionId: "nowhere" }));
  expect((await eve.hears(/"nowhere/)).text.replace("nowhere", id)).toBe(text);
  expect(agent.journal().filter((line) => "prompt" in line)).toHaveLength(1);
});

test("a session that is worked in is not handed on", async () => {
  const agent = createAcpAgent(["--resume"]);
  const grove = await openShop(agent);
  const ada = grove.web("ada");
  await ada.says("wait");
  await grove.until("the agent to begin", () => agent.journal().find((line) => "prompt" in line));
  const [id = ""] = begun(agent);
  await ada.says(ask("recall", { resumeSessionId: id }));
  await ada.hears(/resume_busy.*works in it or is about to; wait until it is done/s);
  await ada.says("/kill all");
  await ada.hears(/^killed/);
});

test("a session stays with its agent, its program and its profile", async () => {
  const agent = createAcpAgent(["--resume"]);
  const grove = await openShop(agent);
  const ada = grove.web("ada");
  await ada.says("say one");
  await ada.hears("done: one");
  const [id = ""] = begun(agent);
  const { agents } = createAcpAgent().config;
  const main = { runtime: "scripted", default: true, subagents: { allowAgents: ["coder", "other"] } };
  const coder = { ...agent.config.agents.main, acp: { agent: { command: "other-agent" } } };
  await grove.restart({ config: { agents: { main, coder, other: agents.main } } });
  await ada.says(ask("recall", { resumeSessionId: id, agentId: "other" }));
  await ada.hears(/resume_unfit.*one of the agent coder/s);
  await ada.says(ask("recall", { resumeSessionId: id }));
  await ada.hears(/resume_unfit.*received the agent coder \(other-agent, profile ask\)/s);
  const safe = { ...agent.config.agents.main, acp: { ...readAcp(agent), profile: "chat-safe" } };
  await grove.restart({ config: { agents: { main, coder: safe, other: agents.main } } });
  await ada.says(ask("recall", { resumeSessionId: id }));
  await ada.hears(/resume_unfit.*profile ask\), received the agent coder \(node, profile chat-safe\)/s);
});

function readAcp(agent: AcpAgent): object {
  const { acp } = agent.config.agents.main;
  if (typeof acp !== "object" || acp === null) throw new Error("The agent has no program");
  return acp;
}

async function readFirstRun(grove: Grove) {
  const [run] = await grove.read((read) => read.runs({ limit: 1 }));
  if (run === undefined) throw new Error("Nothing was spawned");
  return run;
}
