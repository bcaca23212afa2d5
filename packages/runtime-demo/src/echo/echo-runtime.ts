import type { AgentRuntime } from "@banyan/plugin-sdk";
import { createSingleRunSession } from "@banyan/plugin-sdk/runtime";
import { EchoRun } from "./echo-run.ts";

/** Answers exactly the text it got, in one piece: for load tests and channel checks. Several messages are joined by lines. */
export function createEchoRuntime(): AgentRuntime {
  return {
    id: "echo",
    capabilities: {
      steer: "none",
      resume: false,
      fork: false,
      history: "core",
      tools: "none",
      permissions: false,
      usage: false,
    },
    models: async () => [],
    async open(_spec, _host, signal) {
      signal.throwIfAborted();
      return createSingleRunSession((turn) => new EchoRun(turn));
    },
  };
}
