import type { Address, StopReason, TurnInput, Usage } from "@banyan/plugin-sdk";
import type { BudgetLimit } from "../budgets/allotment.ts";
import type { TurnAgent, TurnChannel } from "./turn-parts.ts";

/** How an agent's part of a turn ended. */
export interface AgentEnd {
  readonly text: string;
  readonly reason: StopReason;
  readonly runtimeId: string;
  readonly usage?: Usage;
  readonly model?: string;
  /** With reason `error`: a sentence for people. */
  readonly error?: string;
  /** It was stopped because it went beyond this. */
  readonly passed?: BudgetLimit;
}

export interface AgentRunSpec {
  readonly agent: TurnAgent;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly address: Address;
  readonly input: TurnInput;
  readonly channel: TurnChannel;
  /** What it has gone beyond, having used so much; asked each time more is known. */
  readonly findPassed?: (usage: Usage) => BudgetLimit | undefined;
}
