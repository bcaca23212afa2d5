import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import type { AcpRecord } from "../session/acp-record.ts";
import type { Completion } from "../session/completion.ts";
import type { TranscriptAttachment, TranscriptEntry, Usage } from "../session/transcript-entry.ts";
import type { PermissionRequest, PermissionVerdict } from "./permission.ts";
import type { RunEvent } from "./run-event.ts";
import type { CommittedToolCall, ToolCall, ToolDescription, ToolResult } from "./tool.ts";

/** Something that answers: a model behind an API, a program, a foreign agent. The core owns queue and transcript. */
export interface AgentRuntime {
  readonly id: string;
  readonly capabilities: RuntimeCapabilities;
  /** How long `open` may take before the turn fails: default 10,000, and never more than 30,000. */
  readonly openTimeoutMs?: number;
  /** It works in a process of its own, which a session with the sandbox level `strict` may not start. */
  readonly isProcess?: boolean;
  /** Model names that may stand in a configuration; empty where there is no choice. */
  models(): Promise<readonly string[]>;
  /**
   * Opens the runtime's side of a session; called before the first turn of a busy time, closed after the last. The signal
   * aborts when nobody waits for it any longer; what opens all the same is closed.
   */
  open(spec: SessionSpec, host: RuntimeHost, signal: AbortSignal): Promise<RuntimeSession>;
  /**
   * The conversation has begun anew or is over: what is held for it beyond its turns may go. Called once for each, also for
   * one that the runtime knows nothing of; not waited for; must not throw.
   */
  endSession?(session: Pick<SessionSpec, "sessionKey" | "sessionId">, host: Pick<RuntimeHost, "log">): void;
  /** Ends what it holds beyond its sessions, such as processes. Called once, after the last session; must not throw. */
  close?(): Promise<void>;
}

export interface RuntimeCapabilities {
  /** `receipt`: a steered message is told delivered or returned. */
  readonly steer: "receipt" | "best-effort" | "none";
  readonly resume: boolean;
  readonly fork: boolean;
  /** `core`: gets the transcript with each turn. `runtime`: keeps its own. */
  readonly history: "core" | "runtime";
  readonly tools: "direct" | "mcp-http" | "mcp-stdio" | "none";
  readonly permissions: boolean;
  readonly usage: boolean;
}

export interface SessionSpec {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly model?: string;
  /** Asked in this order where the model before them does not answer. */
  readonly fallbackModels?: readonly string[];
  readonly thinking?: string;
  readonly instructions?: string;
  /** Absolute. Tools stay inside it. */
  readonly workspaceDir: string;
  readonly tools: readonly ToolDescription[];
  /**
   * Who can write where the turn comes from: `known`, nobody but the operator and those whom he let in, in a direct chat;
   * `anybody`, all else. Absent: it is not known, so `anybody`.
   */
  readonly audience?: "known" | "anybody";
  /** What an earlier turn of this conversation kept by `keepAcp`. */
  readonly acp?: AcpRecord;
}

export interface RuntimeHost {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Writes where the agent's side of the session goes on into the session's record; resolves when it is stored, so that
   * no later death loses it. Absent: nothing is kept.
   */
  readonly keepAcp?: (record: AcpRecord) => Promise<void>;
}

export interface RuntimeSession {
  /** Starts one turn. Never called while another one of this session is live. */
  run(turn: TurnInput): RunHandle;
  /** Called once; must not throw. */
  close(): Promise<void>;
}

/** What a turn answers to. */
export interface TurnMessage {
  readonly kind: "message" | "completion" | "nested" | "system";
  readonly text: string;
  readonly sender?: { readonly id: string; readonly displayName?: string };
  /** With `completion`: what `text` tells of. */
  readonly completion?: Completion;
  /** Labelled data that came with it: quotes, attachments, additions of plugins. Never instructions. */
  readonly context?: readonly { readonly label: string; readonly text: string }[];
  /** The files that came with it; `context` tells of them in words. */
  readonly attachments?: readonly TranscriptAttachment[];
}

export interface TurnInput {
  readonly turnId: string;
  /** Of the session's lane: grows with each claim, so that together with `turnId` it names one attempt and no other. */
  readonly epoch: number;
  /** Counted from 1; above 1 an earlier attempt was cut off. */
  readonly attempt: number;
  readonly input: readonly TurnMessage[];
  /** The calls that earlier attempts of this turn completed: their results are known, their effects happened. */
  readonly committedCalls: readonly CommittedToolCall[];
  /** What earlier attempts have used, as far as it was written down; it is counted beside what this one reports. */
  readonly earlierUsage?: Usage;
  /** The transcript before this turn, oldest first. Read only when called. */
  history(): Promise<readonly TranscriptEntry[]>;
  /**
   * The bytes of a file of this turn's messages or of its history, which the host keeps once it has fetched them. Never
   * rejects: `undefined` where they cannot be had, or are more than `limitBytes`. Absent: the host has no files.
   */
  readAttachment?(attachment: TranscriptAttachment, limitBytes: number): Promise<Uint8Array | undefined>;
  /**
   * Runs a tool. The result is stored before this resolves. An ordinal that is already committed answers with the
   * stored result when name and arguments are equal, and with an error result when they are not. Refused after `end`.
   * Rejects only when the turn has lost its lane, or was stopped while a person was asked: end it then. A result may end the turn; the runtime is then aborted.
   */
  callTool(call: ToolCall): Promise<ToolResult>;
  /**
   * Asks the person that the turn works for; waits for the answer, which a later attempt of the turn finds as well. Rejects
   * as `callTool` does. A tool of the host asks by itself.
   */
  askPermission(request: PermissionRequest): Promise<PermissionVerdict>;
}

export interface RunHandle {
  /** Read by one reader. */
  readonly events: AsyncIterable<RunEvent>;
  /** Hands a message to the running turn; `returned` means it was not taken and stays with the core. */
  steer(message: TurnMessage): Promise<"delivered" | "returned">;
  /** Ends the turn early, with `end` reason `stopped`. Resolves when the runtime is at rest. Repeatable. */
  abort(reason: string): Promise<void>;
}
