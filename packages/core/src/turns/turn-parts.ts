import type {
  Address,
  AgentRuntime,
  ChannelConnection,
  DeliveryPolicy,
  TextCapability,
  ToolCall,
  ToolDescription,
  ToolResult,
} from "@banyan/plugin-sdk";
import type { Store } from "@banyan/plugin-sdk/store";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import type { Outbox } from "../outbound/outbox.ts";
import type { Ports } from "../ports/ports.ts";
import type { SessionCache } from "../sessions/session-cache.ts";

/** An agent as a turn needs it. */
export interface TurnAgent {
  readonly id: string;
  readonly runtime: string;
  readonly instructions?: string;
  readonly workspaceDir: string;
}

/** What a turn asks of the channel it answers on. */
export interface TurnChannel {
  readonly text: TextCapability;
  readonly policy: DeliveryPolicy;
  /** The live connection; absent while the account is not connected. */
  readonly connection?: Pick<ChannelConnection, "typing" | "progress">;
}

export interface ToolSession {
  readonly sessionKey: string;
  readonly agent: TurnAgent;
  readonly turnId: string;
  readonly signal: AbortSignal;
}

export interface TurnTools {
  describe(agent: TurnAgent): readonly ToolDescription[];
  /** Never rejects: what goes wrong is a result the agent sees. */
  call(call: ToolCall, session: ToolSession): Promise<ToolResult>;
}

/** What turns are joined to in `gateway.ts`. */
export interface TurnParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  readonly hooks: CallableHooks;
  readonly outbox: Outbox;
  readonly sessions: SessionCache;
  readonly tools: TurnTools;
  getAgent(agentId: string): TurnAgent;
  getRuntime(runtimeId: string): Promise<AgentRuntime>;
  getChannel(address: Address): TurnChannel;
  /** Aborts when the gateway stops for good: nothing waits longer. */
  readonly signal: AbortSignal;
}
