import { createScriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";

/**
 * Hands what it is told to a foreign agent: a line of JSON to the tool that its first word names, anything else as a task to
 * the agent `coder`. Says what the tool answers, and of what has ended what came of it.
 */
export function createForeman(): ScriptedAgent {
  return createScriptedAgent((turn) => async () => {
    for (const { text, completion } of turn.input.input) {
      if (completion !== undefined) await turn.say(`${completion.outcome}: ${completion.result}`);
      else {
        const [, tool, json] = /^(\w+) (\{.*\})$/s.exec(text) ?? [];
        const args = json === undefined ? { task: text, agentId: "coder", runtime: "acp" } : JSON.parse(json);
        await turn.say((await turn.callTool(tool ?? "sessions_spawn", args)).text);
      }
    }
    return undefined;
  });
}
