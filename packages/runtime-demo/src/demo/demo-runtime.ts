import type { AgentRuntime } from "@banyan/plugin-sdk";
import { createRunHandle, createSingleRunSession, type LiveTurn } from "@banyan/plugin-sdk/runtime";
import type { DemoPlace } from "./answer-command.ts";
import { answerTurn } from "./demo-answer.ts";
import { SPAWN_TOOL } from "./spawn/spawn-child.ts";

const SUB_AGENT_KEY = /^agent:[^:]+:subagent:/u;

/**
 * The built-in agent: offline, deterministic, a program that says so. It works on files only through the tools it is
 * given, and reports no usage because there is none.
 */
export function createDemoRuntime(): AgentRuntime {
  return {
    id: "demo",
    capabilities: {
      steer: "none",
      resume: false,
      fork: false,
      history: "core",
      tools: "direct",
      permissions: false,
      usage: false,
    },
    models: async () => [],
    async open(spec, host, signal) {
      signal.throwIfAborted();
      const place: DemoPlace = {
        spec,
        clock: host.clock,
        canSpawn: spec.tools.some(({ name }) => name === SPAWN_TOOL),
        isSubAgent: SUB_AGENT_KEY.test(spec.sessionKey),
        isFirstTalk: createFirstTalk(),
      };
      return createSingleRunSession((input) =>
        createRunHandle(input, (turn) => answerTurn(turn, place), { log: host.log }),
      );
    },
  };
}

/** Reads the history once while the session is open: afterwards something has been said. */
function createFirstTalk(): (turn: LiveTurn) => Promise<boolean> {
  let wasAsked = false;
  return async (turn) => {
    if (wasAsked) return false;
    const history = await turn.waitFor(turn.input.history());
    wasAsked = true;
    return history.length === 0;
  };
}
