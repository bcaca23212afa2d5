import type {
  AcpRecord,
  Address,
  AgentRuntime,
  AttachmentReference,
  ChannelConnection,
  FilesCapability,
  PermissionRequest,
  PermissionVerdict,
  TextCapability,
  ToolCall,
  ToolDescription,
  ToolResult,
  TranscriptAttachment,
} from "@banyan/plugin-sdk";
import type { NewAudit, Store } from "@banyan/store";
import type { BudgetDesk } from "../budgets/budget-desk.ts";
import type { PriceBook } from "../budgets/price-book.ts";
import type { BudgetsConfig } from "../config/shapes/budget-config.ts";
import type { DeliveryPolicies } from "../config/shapes/delivery-setting.ts";
import type { QueueRules } from "../config/shapes/queue-config.ts";
import type { ToolBoundaries } from "../config/shapes/tool-boundaries.ts";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import type { Outbox } from "../outbound/outbox.ts";
import type { Ports } from "../ports/ports.ts";
import type { QuestionDesk } from "../questions/question-desk.ts";
import type { RunParts } from "../runs/run-parts.ts";
import type { SessionCache } from "../sessions/session-cache.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import type { TakenMessage } from "./taken-message.ts";

/** An agent as a turn needs it. */
export interface TurnAgent {
  readonly id: string;
  readonly runtime: string;
  readonly instructions?: string;
  readonly workspaceDir: string;
  readonly model?: string;
  readonly fallbackModels?: readonly string[];
  readonly thinking?: string;
  /** All must allow a tool: its own, those of what it was spawned by, and what a sub-agent may not use. */
  readonly policies: readonly {
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
    readonly ask?: readonly string[];
  }[];
  /** All hold: its own, and those of what it was spawned by. */
  readonly boundaries: readonly { readonly baseDir: string; readonly rules: ToolBoundaries }[];
  /** Folders below what no tool may read that this session may: the files it was given. */
  readonly openPaths: readonly string[];
  /** What it may use up. */
  readonly budgets?: BudgetsConfig;
  /** Where a foreign agent's side of the conversation goes on. */
  readonly acp?: AcpRecord;
  /** Its sandbox, or one above it, has no process of its own. */
  readonly isStrict?: boolean;
  /** A turn that neither speaks nor calls a tool for this long is stopped. Absent: none is. */
  readonly turnTimeoutMs?: number;
}

/** The turn that calls a tool. */
export interface TurnCaller {
  readonly itemSeq: number;
  /** Its claim of the lane. */
  readonly epoch: number;
  /** The run that the turn works for. */
  readonly runId?: string;
  /** Where the turn speaks, or would. */
  readonly address: Address;
  /** What it says goes to no chat. */
  readonly isQuiet: boolean;
  /** Messages from agent to agent that led to it. */
  readonly hops?: number;
  /** The conversation that it belongs to. */
  readonly sessionId: string;
  /** Whom it may ask: the platform's id of whoever's message brought it about. */
  readonly person?: string;
  /** What it answers to beside its own message. */
  readonly taken: readonly TakenMessage[];
  /** The files that came with what it answers to. */
  readonly attachments?: readonly AttachmentReference[];
}

/**
 * Who can write at a place. `known`: only the operator and people whom the operator approved, in a direct chat. `anybody`:
 * everyone else too.
 */
export type Audience = "known" | "anybody";

/** What a turn asks of the channel it answers on. */
export interface TurnChannel extends DeliveryPolicies {
  /** Who can write there. */
  readonly audience: Audience;
  readonly text: TextCapability;
  /** Absent: it takes no files. */
  readonly files?: FilesCapability;
  /** It shows what can be answered as buttons. */
  readonly buttons?: boolean;
  /** The live connection; absent while the account is not connected. */
  readonly connection?: Pick<ChannelConnection, "typing" | "progress">;
}

export interface ToolSession {
  readonly sessionKey: string;
  readonly agent: TurnAgent;
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly turn: TurnCaller;
  /** Asks a person; the request's id is unique in the turn and the same in a later attempt. Rejects only when the lane is lost. */
  ask(request: PermissionRequest): Promise<PermissionVerdict>;
  /** Keeps a line for the audit: it is written with what the call writes next. */
  record(audit: NewAudit): void;
  /** Called right before the tool runs: what it does from then on may have happened. Rejects only when the lane is lost. */
  begin(): Promise<void>;
}

export interface TurnTools {
  /** Whether an unfinished call of the tool may run again; so may that of one that is not there. */
  isRepeatable(name: string): boolean;
  describe(agent: TurnAgent): readonly ToolDescription[];
  /** Never rejects: what goes wrong is a result the agent sees. */
  call(call: ToolCall, session: ToolSession): Promise<ToolResult>;
}

export interface AttachmentRequest {
  readonly workspaceDir: string;
  readonly sessionId: string;
  readonly limitBytes: number;
  readonly signal: AbortSignal;
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
  readonly questions: QuestionDesk;
  readonly budgets: BudgetDesk;
  readonly prices: PriceBook;
  /** Gives a turn's place among the running sub-agents back while it waits for `work`. */
  rest<Result>(lane: string, work: () => Promise<Result>): Promise<Result>;
  /** The lane's turn has committed a step: it is no suspect any more. */
  noteProgress(lane: string): void;
  /** A file of a conversation, for its runtime. Never rejects. */
  readAttachment(attachment: TranscriptAttachment, request: AttachmentRequest): Promise<Uint8Array | undefined>;
  getAgent(session: Pick<SessionRecord, "key" | "agentId" | "entry">): TurnAgent;
  getQueueRules(session: Partial<Pick<SessionRecord, "entry">>, address: Address): QueueRules;
  getRuntime(runtimeId: string): Promise<AgentRuntime>;
  getChannel(address: Address): TurnChannel;
  /** Aborts when the gateway stops for good: nothing waits longer. */
  readonly signal: AbortSignal;
  /** How the runs end that turns work for. */
  readonly runs: RunParts;
}
