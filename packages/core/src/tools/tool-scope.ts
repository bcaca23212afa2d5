import type { PermissionRequest, PermissionVerdict } from "@banyan/plugin-sdk";
import type { NewAudit } from "@banyan/store";
import type { AgentBoundaries } from "./boundaries/agent-boundaries.ts";
import type { ToolTurn } from "./tool.ts";
import type { ToolLimits } from "./tool-limits.ts";
import type { ToolPolicy } from "./tool-policy.ts";

/** What the calling session may use. */
export interface ToolScope {
  /** Its own and those of its parents. */
  readonly policies: readonly ToolPolicy[];
  /** Its own and those of its parents. */
  readonly boundaries?: readonly AgentBoundaries[];
  readonly workspaceDir: string;
  readonly blockedPaths: readonly string[];
  readonly openPaths?: readonly string[];
  readonly listReadOnlyPaths?: () => readonly string[];
  readonly caller: ToolTurn;
  /** The boundaries are in it. */
  readonly limits: ToolLimits;
  /** Of the turn. */
  readonly signal: AbortSignal;
  /** Asks a person. Rejects only when the lane is lost. */
  ask(request: PermissionRequest): Promise<PermissionVerdict>;
  /** Keeps a line for the audit: it is written with what the call writes next. */
  record(audit: NewAudit): void;
  /** Called right before the tool runs. Rejects only when the lane is lost. */
  begin(): Promise<void>;
}
