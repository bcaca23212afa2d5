import { expect, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

/** Hands what it is told to the foreign agent `coder`, and tells of what that has finished. */
function createForeman() {
  return createScriptedAgent((turn) => async () => {
    for (const { text, completion } of turn.input.input) {
      if (completion !== undefined) await turn.say(`coder says: ${completion.result}`);
      else {
        const { text: answer } = await turn.callTool("sessions_spawn", {
          task: text,
          agentId: "coder",
          runtime: "acp",
        });
        await turn.say(answer.includes("accepted") ? "begun" : answer);
      }
    }
    return undefined;
  });
}

test("a foreign agent works as a sub-agent, in a session of its own kind, and its end is told", async () => {
  const foreman = createForeman();
  const { agents } = createAcpAgent().config;
  const main = { runtime: "scripted", default: true, subagents: { allowAgents: ["coder"] } };
  const grove = await openGrove({ runtimes: foreman.runtimes, config: { agents: { main, coder: agents.main } } });
  const ada = grove.web("ada");
  await ada.says("say the work is done");
  await ada.hears("begun");
  await ada.hears("coder says: the work is done");
  await grove.rests();
  const [run] = await grove.read((read) => read.runs({ limit: 10 }));
  expect(run?.childSessionKey).toMatch(/^agent:coder:acp:/);
});
