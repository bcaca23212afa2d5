import type { Store } from "@banyan/store";
import type { RouteCheck } from "../access/judge-routes.ts";
import type { RouteState } from "../access/route-state.ts";
import type { Command, CommandContext } from "../commands/command.ts";
import type { QueueRules } from "../config/shapes/queue-config.ts";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import type { Outbox } from "../outbound/outbox.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunParts, StoppedTurn } from "../runs/run-parts.ts";
import type { IdentityLinks } from "../sessions/keys/identity-links.ts";
import type { SessionCache } from "../sessions/session-cache.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import type { TurnAgent, TurnChannel } from "../turns/turn-parts.ts";

/** What running commands is joined to in `gateway.ts`. */
export interface CommandParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly outbox: Outbox;
  readonly owner: string;
  readonly sessions: SessionCache;
  readonly routeState: RouteState;
  /** The configuration's own; its picture has them and the stored ones together. */
  readonly configuredLinks: IdentityLinks;
  /** Whose sessions a person may have. */
  readonly agentIds: readonly string[];
  readonly commands: readonly Command[];
  /** Asked before links change. */
  readonly checkRoutes?: RouteCheck | undefined;
  readonly commandNames: ReadonlySet<string>;
  getAgent(session: Pick<SessionRecord, "key" | "agentId" | "entry">): TurnAgent;
  /** How runs end that a command ends. */
  readonly runs: RunParts;
  getChannel(address: CommandContext["address"]): TurnChannel;
  /** `isClaimed`: the store says that one runs. */
  stopTurn(lane: string, isClaimed: boolean): Promise<StoppedTurn | undefined>;
  getQueueRules(session: Partial<Pick<SessionRecord, "entry">>, address: CommandContext["address"]): QueueRules;
  readonly hooks: CallableHooks;
  readonly signal: AbortSignal;
}
