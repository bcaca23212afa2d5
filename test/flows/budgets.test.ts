import { report, say, type TurnScript } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const SESSION = "agent:main:webchat:dm:ada";

/** The agent `main`, with what it may use up. */
function configure(budgets: object): { readonly config: Readonly<Record<string, unknown>> } {
  return { config: { agents: { main: { runtime: "scripted", budgets } } } };
}

function spend(inputTokens: number, costUsd?: number): TurnScript {
  return [report({ inputTokens, outputTokens: 0, ...(costUsd === undefined ? {} : { costUsd }) }), ...say("done")];
}

test("a conversation that has used up its tokens is told so, and goes on as a new one", async () => {
  const agent = createScriptedAgent(() => spend(1_200));
  const grove = await openGrove({ ...agent, ...configure({ tokensPerSession: 1_000, reserveTokens: 100 }) });
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears(/^⚠ The agent was stopped: this conversation has used 1200 of 1000 tokens; \/new begins a new one/);
  await ada.says("two");
  await ada.hears(
    "⚠ The agent was not asked: this conversation has used 1200 of 1000 tokens; /new begins a new one, or whoever runs me raises agents.main.budgets.tokensPerSession.",
  );
  await ada.says("/new");
  await ada.hears(/A new conversation begins/);
  expect(agent.record.of(SESSION)).toHaveLength(1);
});

test("what was used is known to the next process", async () => {
  const agent = createScriptedAgent(() => spend(600));
  const grove = await openGrove({ ...agent, ...configure({ tokensPerSession: 1_000, reserveTokens: 500 }) });
  const ada = grove.web("ada");
  await ada.says("one");
  await ada.hears("done");
  await grove.restart();
  await ada.says("two");
  await ada.hears(/^⚠ The agent was not asked: this conversation has used 600 of 1000 tokens/);
  expect(agent.record.of(SESSION)).toHaveLength(1);
});
