import type { Address, AgentRuntime } from "@banyan/plugin-sdk";
import type { ThreadHost } from "../bindings/close-spawn-thread.ts";
import type { AgentConfig, SessionToolsConfig } from "../config/config.ts";
import type { RunLimits } from "../config/shapes/limits-config.ts";
import type { ThreadRules } from "../config/shapes/thread-rules.ts";
import type { QuestionDesk } from "../questions/question-desk.ts";
import type { RunParts } from "../runs/run-parts.ts";
import type { FindLiveNote } from "../runs/run-record.ts";

/** What spawning and directing sub-agents is joined to in `gateway.ts`. */
export interface SubagentParts extends RunParts {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly limits: RunLimits;
  /** The rules of threads on the address' account. */
  getThreadRules(address: Address): ThreadRules;
  readonly sessionTools: SessionToolsConfig;
  /** What routing decides by was changed: a thread was bound, or freed. */
  refreshRoutes(): Promise<unknown>;
  getRuntime(runtimeId: string): Promise<AgentRuntime>;
  readonly threadHost: ThreadHost;
  /** Resolves when the address' account is connected, or could not be: what went on at a start may come before that. */
  whenTried(address: Address): Promise<void>;
  readonly findLiveNote: FindLiveNote;
  readonly questions: Pick<QuestionDesk, "settle">;
  /** Whether messages of that channel can be changed once they are sent. */
  canEdit(place: { readonly channel: string }): boolean;
  /** Sub-agents are at work whose messages show how they fare. */
  wakeStatuses(): void;
  /** Gives a turn's place among the running sub-agents back while it waits for `work`. */
  rest<Result>(lane: string, work: () => Promise<Result>): Promise<Result>;
}
