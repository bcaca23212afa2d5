import { SANDBOX_LEVELS, type SandboxLevel } from "../../config/shapes/sandbox-level.ts";

/** `inherit`: what the target has is enough. `require`: not without a sandbox. */
export const SANDBOX_REQUESTS = ["inherit", "require"] as const;
export type SandboxRequest = (typeof SANDBOX_REQUESTS)[number];

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

/** Whether a session of this level may start processes: the tool `exec`, and a runtime that is a process of its own. */
export function isProcessAllowed(level: SandboxLevel): boolean {
  return level !== "strict";
}
