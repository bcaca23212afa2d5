import { expect, test } from "vitest";
import { type AcpAgent, createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";

const FORK = 'call sessions_spawn {"task":"recall","context":"fork"}';

/** What the agent's sessions were asked last, by what the session came from. */
function readLastPrompt(agent: AcpAgent): readonly unknown[] {
  const prompts = agent.journal().flatMap((line) => (Array.isArray(line.prompt) ? [line.prompt] : []));
  return prompts.find((prompt) => prompt.at(-1) === "recall") ?? [];
}

test("a forked sub-agent of an agent that copies its sessions knows what its parent knows, and is told it only once", async () => {
  const agent = createAcpAgent(["--http", "--fork", "--resume"]);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("say My name is Ada.");
  await ada.hears("My name is Ada.");
  await ada.says(FORK);
  await ada.hears(/accepted/);
  const forked = await grove.until("the copy", () => agent.journal().find((line) => "fork" in line));
  const [begun] = agent.journal().filter((line) => "new" in line);
  expect(forked.fork).toBe(begun?.new);
  await grove.until("the child's turn", () => (readLastPrompt(agent).length > 0 ? true : undefined));
  await grove.rests();
  expect(readLastPrompt(agent)).toEqual([expect.stringContaining("## You are a sub-agent"), "recall"]);
  const [run] = await grove.read((read) => read.runs({ limit: 2 }));
  expect(JSON.parse(run?.result ?? "{}").result).toBe(`say My name is Ada. / ${FORK} / recall`);
  expect(agent.journal().filter((line) => "new" in line)).toHaveLength(1);
  // The copy goes on as any session does.
  await grove.restart();
  const message = { sessionKey: run?.childSessionKey, message: "recall", timeoutSeconds: 9 };
  await ada.says(`call sessions_send ${JSON.stringify(message)}`);
  await ada.hears(/ \/ recall \/ recall"/);
  expect(agent.journal().filter((line) => "fork" in line || "new" in line)).toHaveLength(2);
});

test.each([
  ["does not copy its sessions", ["--http"]],
  ["fails to copy one", ["--http", "--fork", "--forgetful"]],
])("a forked sub-agent of an agent that %s begins a session that is told the conversation", async (_what, args) => {
  const agent = createAcpAgent(args);
  const grove = await openGrove({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("say My name is Ada.");
  await ada.hears("My name is Ada.");
  await ada.says(FORK);
  await ada.hears(/accepted/);
  await grove.until("the child's turn", () => (readLastPrompt(agent).length > 0 ? true : undefined));
  await grove.rests();
  expect(readLastPrompt(agent).join("\n")).toContain("user: say My name is Ada.\nyou: My name is Ada.");
  expect(agent.journal().filter((line) => "new" in line)).toHaveLength(2);
});
