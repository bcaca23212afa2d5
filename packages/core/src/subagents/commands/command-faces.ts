/** What people see of the commands about sub-agents, in the order in which it is shown. */
import type { CommandParameter } from "@banyan/plugin-sdk";
import type { CommandFace } from "../../commands/command.ts";
import { SPAWN_USAGE } from "./spawn-line.ts";

const target = (
  isRequired: boolean,
  summary = "its number, its name or the beginning of its id",
): CommandParameter => ({
  name: "target",
  summary,
  isRequired,
  kind: "target",
});

type Name = "spawn" | "tree" | "subagents" | "kill" | "retry" | "agents" | "focus" | "unfocus" | "session";

export const SUBAGENT_FACES: Readonly<Record<Name, CommandFace>> = {
  spawn: {
    name: "spawn",
    usage: SPAWN_USAGE,
    summary: "give a task to a sub-agent",
    parameters: [{ name: "task", summary: "what it is to do", isRequired: true, kind: "text" }],
  },
  tree: { name: "tree", usage: "/tree", summary: "the sub-agents of this conversation, with their state" },
  subagents: {
    name: "subagents",
    usage: "/subagents [list|info|log|send|steer|kill|wait|spawn …]",
    summary: "see and direct the sub-agents of this conversation",
    parameters: [
      {
        name: "action",
        summary: "what to do; without it they are listed",
        isRequired: false,
        kind: "text",
        choices: ["list", "info", "log", "send", "steer", "kill", "wait"],
      },
      target(false),
      { name: "text", summary: "the message, or how long to wait", isRequired: false, kind: "text" },
    ],
  },
  kill: {
    name: "kill",
    usage: "/kill <number or name|all>",
    summary: "stop a sub-agent and all below it",
    parameters: [target(true, "its number, its name, the beginning of its id, or all")],
  },
  retry: {
    name: "retry",
    usage: "/retry [number or name]",
    summary: "resend undelivered parts of a result",
    parameters: [target(false)],
  },
  agents: { name: "agents", usage: "/agents", summary: "who answers here, and which agents can be given a task" },
  focus: {
    name: "focus",
    usage: "/focus <number or name>",
    summary: "talk with a sub-agent here; /unfocus leads back",
    parameters: [target(true)],
  },
  unfocus: { name: "unfocus", usage: "/unfocus", summary: "talk with the agent here again" },
  session: {
    name: "session",
    usage: "/session [idle|max-age <time|off>]",
    summary: "how long a sub-agent keeps this conversation",
    parameters: [
      {
        name: "rule",
        summary: "the longest silence, or the greatest age",
        isRequired: false,
        kind: "text",
        choices: ["idle", "max-age"],
      },
      { name: "time", summary: "such as 15m, 2h or off", isRequired: false, kind: "text" },
    ],
  },
};
