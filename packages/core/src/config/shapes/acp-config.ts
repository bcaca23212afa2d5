import { resolve } from "node:path";
import { ACP_AGENTS, ACP_PROFILES, type AcpSettings } from "@banyan/plugin-sdk";
import { z } from "zod";
import { type ConfigProblem, formatReceived } from "../problems/config-problem.ts";
import type { AcpInput } from "./acp-input.ts";
import type { SandboxLevel } from "./sandbox-level.ts";

/** The runtime that the section is for. */
export const ACP_RUNTIME = "acp";
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** More than any program reads. */
const MOST_VARIABLES = 100;
const MOST_ARGUMENTS = 100;

const text = z.string().trim().min(1);

/** Without defaults: an agent's own value stands over the one of all agents. */
export const acpSchema: z.ZodType<AcpInput, AcpInput> = z.strictObject({
  agent: z
    .union([
      z.enum(ACP_AGENTS),
      z.strictObject({
        command: text.describe("The program. A command with a path starts from the folder of the configuration file."),
        args: z.array(z.string()).max(MOST_ARGUMENTS).optional().describe("Its arguments."),
      }),
    ])
    .optional()
    .describe("The program: a known name, or `{ command, args }`. Banyan never passes it to a shell."),
  profile: z
    .enum(ACP_PROFILES)
    .optional()
    .describe(
      "What happens to its requests for permission. `ask`: the person it works for decides each. `chat-safe`: all are denied. Where others than approved people can reach the agent, you must set it. Default: `ask`.",
    ),
  mode: text
    .optional()
    .describe("Mode of its sessions, by the program's own name. Default: the mode that fits the profile."),
  env: z
    .array(z.string().regex(VARIABLE_NAME))
    .max(MOST_VARIABLES)
    .optional()
    .describe("Names of further environment variables that it gets."),
});

/** What the runtime is told of an agent; `undefined` where no program is named. A command with a path starts from `folder`. */
export function buildAcp(own: AcpInput = {}, defaults: AcpInput = {}, folder: string): AcpSettings | undefined {
  const agent = own.agent ?? defaults.agent;
  if (agent === undefined) return undefined;
  const profile = own.profile ?? defaults.profile;
  const mode = own.mode ?? defaults.mode;
  return {
    agent:
      typeof agent === "string" ? agent : { command: resolveCommand(agent.command, folder), args: agent.args ?? [] },
    env: own.env ?? defaults.env ?? [],
    ...(profile === undefined ? {} : { profile }),
    ...(mode === undefined ? {} : { mode }),
  };
}

/** A plain name is looked up in `PATH` when it is started. */
function resolveCommand(command: string, folder: string): string {
  return /[/\\]/.test(command) ? resolve(folder, command) : command;
}

/** Whether runtime, program and sandbox of an agent fit together. */
export function checkAcp(
  id: string,
  agent: {
    readonly runtime: string;
    readonly acp?: AcpSettings | undefined;
    readonly sandbox?: SandboxLevel | undefined;
  },
  { hasOwn }: { readonly hasOwn: boolean },
): readonly ConfigProblem[] {
  const { runtime, acp, sandbox } = agent;
  if (runtime !== ACP_RUNTIME) {
    if (!hasOwn) return [];
    const wrong = `only the runtime "${ACP_RUNTIME}" reads it`;
    return [
      {
        path: ["agents", id, "acp"],
        wrong,
        received: `runtime ${formatReceived(runtime)}`,
        cure: `set agents.${id}.runtime: "${ACP_RUNTIME}", or remove it`,
      },
    ];
  }
  const names = ACP_AGENTS.map((name) => `"${name}"`).join(", ");
  const missing: ConfigProblem = {
    path: ["agents", id, "acp", "agent"],
    wrong: "missing",
    cure: `name the program: one of ${names}, or { command, args }`,
  };
  const strict: ConfigProblem = {
    path: ["agents", id, "sandbox"],
    wrong: `the runtime "${ACP_RUNTIME}" is a separate process, and this level allows none`,
    received: formatReceived("strict"),
    cure: 'use "workspace", or another runtime',
  };
  return [...(acp === undefined ? [missing] : []), ...(sandbox === "strict" ? [strict] : [])];
}
