import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AcpSettings, AgentRuntime, SessionSpec } from "@banyan/plugin-sdk";
import type { Environment } from "./agents/child-environment.ts";
import { decideLaunch, type LaunchPlan } from "./agents/launch-plan.ts";
import { AgentSlot } from "./processes/agent-slot.ts";
import { openAcpSession } from "./sessions/acp-session.ts";
import { letGo } from "./sessions/let-go.ts";
import { ToolDoor } from "./tools/tool-door.ts";

/** Coming up takes an agent longer than a runtime of our own. */
const OPEN_LIMIT_MS = 30_000;

export interface AcpRuntimeOptions {
  /** How the agent of this id is configured; `undefined`: as none. */
  findSettings(agentId: string): AcpSettings | undefined;
  /** Of this process. Agents get of it what is allowed by name. */
  readonly env: Environment;
  /** Absolute: the folder below which agents work. */
  readonly folder: string;
  /** The host's version, as agents are told it. */
  readonly version: string;
  /** From 0 to below 1; default `Math.random`. */
  readonly random?: () => number;
}

/** Agents of the Agent Client Protocol: one process for each agent and profile, with a session for each conversation. */
export function createAcpRuntime(options: AcpRuntimeOptions): AgentRuntime {
  const slots = new Map<string, AgentSlot>();
  const door = new ToolDoor(options.version);
  const killAll = () => {
    for (const slot of slots.values()) slot.kill();
  };
  return {
    id: "acp",
    capabilities: {
      steer: "best-effort",
      resume: true,
      fork: true,
      history: "runtime",
      tools: "mcp-http",
      permissions: true,
      usage: true,
    },
    isProcess: true,
    openTimeoutMs: OPEN_LIMIT_MS,
    models: async () => [],
    async open(spec, host, signal) {
      signal.throwIfAborted();
      const plan = getPlan(spec, options);
      const folder = join(options.folder, encodeURIComponent(spec.agentId));
      // A process that ends without closing its runtime leaves no agent behind.
      if (!process.listeners("exit").includes(killAll)) process.once("exit", killAll);
      const slot = await getSlot(slots, { plan, folder }, spec, options);
      return openAcpSession({ plan, slot, spec, host, folder, door }, signal);
    },
    endSession({ sessionKey, sessionId }, host) {
      for (const agent of [...slots.values()].flatMap((slot) => slot.agents)) {
        const own = [...agent.sessions.values()].filter(
          (one) => one.sessionKey === sessionKey && one.sessionId === sessionId,
        );
        for (const standing of own) void letGo(agent, standing, host);
      }
    },
    async close() {
      process.removeListener("exit", killAll);
      await Promise.all([...slots.values()].map((slot) => slot.close()));
      await door.close();
    },
  };
}

function getPlan({ agentId, audience = "anybody" }: SessionSpec, { findSettings, env }: AcpRuntimeOptions): LaunchPlan {
  const settings = findSettings(agentId);
  if (settings === undefined)
    throw new Error(`The agent ${agentId} was started: agents.${agentId}.acp does not say which program it is; set it`);
  const decision = decideLaunch({ agentId, settings, audience, env });
  if (decision.kind === "start") return decision.plan;
  throw new Error(`The agent ${agentId} was started: ${decision.why}`);
}

async function getSlot(
  slots: Map<string, AgentSlot>,
  { plan, folder }: { readonly plan: LaunchPlan; readonly folder: string },
  { agentId }: SessionSpec,
  { version, random = Math.random }: AcpRuntimeOptions,
): Promise<AgentSlot> {
  const name = JSON.stringify([agentId, plan.profile]);
  const standing = slots.get(name);
  if (standing !== undefined) return standing;
  // The process stands in an empty folder as well.
  const cwd = join(folder, "process");
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  const slot = slots.get(name) ?? new AgentSlot({ plan, cwd, version }, random);
  slots.set(name, slot);
  return slot;
}
