import { type AcpCommand, type AcpProfile, type AcpSettings, nameAcpAgent } from "@banyan/plugin-sdk";
import { buildChildEnvironment, type Environment } from "./child-environment.ts";
import { KNOWN_AGENTS, type ProfileSetting, type SessionMeta } from "./known-agent.ts";

/** How an agent is started for a session, and what is set in it before it is asked anything. */
export interface LaunchPlan {
  /** The agent's name in the configuration's words. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly profile: AcpProfile;
  /** By the agent's own name. Absent: the agent's default stands. */
  readonly mode?: string;
  /** For each session that is begun or taken up. */
  readonly meta?: SessionMeta;
  /** The session is not opened where no mode can be set. */
  readonly needsMode: boolean;
}

export type LaunchDecision = { readonly kind: "start"; readonly plan: LaunchPlan } | Refusal;

interface Refusal {
  readonly kind: "refused";
  /** What is wrong and what to do, as the end of an error's sentence. */
  readonly why: string;
}

export interface LaunchQuestion {
  readonly agentId: string;
  readonly settings: AcpSettings;
  readonly audience: "known" | "anybody";
  readonly env: Environment;
}

/** Whether an agent may work for a session, and how it is started. Pure. */
export function decideLaunch({ agentId, settings, audience, env }: LaunchQuestion): LaunchDecision {
  const path = `agents.${agentId}.acp`;
  const { agent, profile: given } = settings;
  if (given === undefined && audience === "anybody") {
    return refuse(
      `anybody can write in this chat, and ${path}.profile does not say what the agent may do there; set it to "chat-safe", or to "ask"`,
    );
  }
  const profile = given ?? "ask";
  const known = typeof agent === "string" ? KNOWN_AGENTS[agent] : undefined;
  const setting = findSetting(settings, known?.profiles[profile]);
  // Who the operator talks with by himself is his own choice.
  if ("refusal" in setting && (profile === "chat-safe" || audience === "anybody"))
    return refuse(
      `the profile "${profile}" cannot be kept by ${nameAcpAgent(agent)}: ${setting.refusal}; use another agent`,
    );
  const { command, args } = getAgentCommand(agent);
  const mode = "mode" in setting ? setting.mode : undefined;
  const { env: set, meta } = "refusal" in setting ? {} : setting;
  return {
    kind: "start",
    plan: {
      name: nameAcpAgent(agent),
      command,
      args,
      env: buildChildEnvironment(env, [...(known?.env ?? []), ...settings.env], set),
      profile,
      needsMode: profile === "chat-safe" || audience === "anybody",
      ...(mode === undefined ? {} : { mode }),
      ...(meta === undefined ? {} : { meta }),
    },
  };
}

/** The program that is started for an agent. */
export function getAgentCommand(agent: AcpSettings["agent"]): AcpCommand {
  if (typeof agent !== "string") return agent;
  const { command, args } = KNOWN_AGENTS[agent] ?? { command: agent, args: [] };
  return { command, args };
}

/** What the configuration names goes before what is known; of an agent that is not known nothing is. */
function findSetting(
  { mode }: AcpSettings,
  known: ProfileSetting | undefined,
): ProfileSetting | { readonly env?: never; readonly meta?: never } {
  if (known === undefined) return mode === undefined ? {} : { mode };
  return mode === undefined || "refusal" in known ? known : { ...known, mode };
}

function refuse(why: string): Refusal {
  return { kind: "refused", why };
}
