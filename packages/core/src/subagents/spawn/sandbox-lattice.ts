import type { AgentConfig } from "../../config/config.ts";
import { SANDBOX_LEVELS, type SandboxLevel } from "../../config/shapes/sandbox-level.ts";
import { DEFAULT_SANDBOX, getSandboxLevel } from "../../config/shapes/subagent-rules.ts";

/** `inherit`: what the target has is enough. `require`: not without a sandbox. */
export const SANDBOX_REQUESTS = ["inherit", "require"] as const;
export type SandboxRequest = (typeof SANDBOX_REQUESTS)[number];

const STRICTEST: SandboxLevel = "strict";

export type SandboxDecision =
  | { readonly kind: "allowed"; readonly level: SandboxLevel }
  | { readonly kind: "below_parent" }
  | { readonly kind: "required" };

/** A child is as its agent is configured, and never freer than its parent: else spawning would be a way out. */
export function decideSandbox(levels: {
  readonly parent: SandboxLevel;
  readonly target: SandboxLevel;
  readonly request: SandboxRequest;
}): SandboxDecision {
  const { parent, target, request } = levels;
  if (SANDBOX_LEVELS.indexOf(target) < SANDBOX_LEVELS.indexOf(parent)) return { kind: "below_parent" };
  if (request === "require" && target === "off") return { kind: "required" };
  return { kind: "allowed", level: target };
}

/**
 * The level that a session has now: as strict as the strictest of its agent and of those it was spawned by, as they are
 * configured. So a level that is lowered for one of them frees none of its sessions that somebody stricter asked for. Of
 * one above it that is not configured any more nobody knows the level: it counts as the strictest.
 */
export function resolveSandbox(
  agents: Readonly<Record<string, AgentConfig>>,
  { agentId, spawnLineage = [] }: { readonly agentId: string; readonly spawnLineage?: readonly string[] | undefined },
): SandboxLevel {
  const isThere = (id: string) => Object.hasOwn(agents, id);
  if (!spawnLineage.every(isThere)) return STRICTEST;
  const configured = [...spawnLineage, agentId].filter(isThere);
  const levels = configured.map((id) => SANDBOX_LEVELS.indexOf(getSandboxLevel(agents[id])));
  return SANDBOX_LEVELS[Math.max(...levels)] ?? DEFAULT_SANDBOX;
}

/** Whether a session of this level may start processes: the tool `exec`, and a runtime that is a process of its own. */
export function isProcessAllowed(level: SandboxLevel): boolean {
  return level !== "strict";
}
