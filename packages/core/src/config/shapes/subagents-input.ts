import type { ThinkingLevel } from "./thinking-level.ts";

/** What an agent's sub-agents may do and how many there may be, as it is written. */
export interface SubagentsInput {
  /** A session this deep spawns none; a person's is at depth 0. Default 2. */
  readonly maxSpawnDepth?: number | undefined;
  /** Unfinished ones of one session at once. Default 5. */
  readonly maxChildrenPerAgent?: number | undefined;
  /** Which other agents it may spawn; `"*"` is any. Default: itself only. */
  readonly allowAgents?: readonly string[] | undefined;
  /** Which agent is to be spawned must be said each time. Default `false`. */
  readonly requireAgentId?: boolean | undefined;
  /** How long one may take. Default 0: as long as it takes. */
  readonly runTimeoutSeconds?: number | undefined;
  /** How long one may take at most, whatever is asked for. Default 0: as long as that. */
  readonly maxRunTimeoutSeconds?: number | undefined;
  /** How long after its spawn its session is archived; one that is not through by then, after its end. Default 60; 0 is never. */
  readonly archiveAfterMinutes?: number | undefined;
  /** After this the host tells the chat of a result that the parent has not told of. Default 600,000. */
  readonly announceTimeoutMs?: number | undefined;
  /** `provider/model`. Default: the agent's own. */
  readonly model?: string | undefined;
  readonly thinking?: ThinkingLevel | undefined;
}
