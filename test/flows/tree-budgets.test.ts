import { call, createGate, report, say, wait } from "@banyan/runtime-demo";
import { test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const SESSION = "agent:main:webchat:dm:ada";

test("sub-agents at work at once use up one budget, not one each", async () => {
  const [both, end] = [createGate(), createGate()];
  let begun = 0;
  const agent = createScriptedAgent((turn) => {
    if (turn.spec.sessionKey !== SESSION) {
      begun += 1;
      if (begun === 2) both.open();
      return [wait(both), report({ inputTokens: 600, outputTokens: 0 }), wait(end)];
    }
    const [first] = turn.input.input;
    if (first?.kind === "completion") return say("a child is done");
    return [call("sessions_spawn", { task: "one" }), call("sessions_spawn", { task: "two" }), ...say("asked")];
  });
  const grove = await openGrove({
    ...agent,
    config: { agents: { main: { runtime: "scripted", budgets: { tokensPerTree: 1_000 } } } },
  });
  const ada = grove.web("ada");
  await ada.says("count");
  await ada.hears("asked");
  await ada.hears(/this conversation and its sub-agents have used 1200 of 1000 tokens/);
  end.open();
});

test("a sub-agent of another agent stays in the budget of the tree that it stands in", async () => {
  const agent = createScriptedAgent((turn) => {
    if (turn.spec.sessionKey !== SESSION) return [report({ inputTokens: 1_200, outputTokens: 0 }), wait(createGate())];
    const [first] = turn.input.input;
    if (first?.kind === "completion") return say("a child is done");
    return [call("sessions_spawn", { task: "one", agentId: "worker" }), ...say("asked")];
  });
  const grove = await openGrove({
    ...agent,
    config: {
      agents: {
        main: {
          runtime: "scripted",
          default: true,
          budgets: { tokensPerTree: 1_000 },
          subagents: { allowAgents: ["worker"] },
        },
        worker: { runtime: "scripted" },
      },
    },
  });
  const ada = grove.web("ada");
  await ada.says("count");
  await ada.hears("asked");
  await ada.hears(
    /have used 1200 of 1000 tokens; .* raises agents\.main\.budgets\.tokensPerTree or agents\.worker\.budgets\.tokensPerTree\./,
  );
});
