/** The contracts of this folder: a tool, what its calls get, and a check of the chain that every call passes. */
import type {
  Address,
  AttachmentReference,
  PermissionRequest,
  PermissionVerdict,
  ToolCallEvent,
  ToolDescription,
  ToolResult,
} from "@banyan/plugin-sdk";
import type { NewAudit } from "@banyan/store";
import type { PathAccess } from "./boundaries/decide.ts";
import type { WorkspaceBounds } from "./files/workspace-path.ts";
import type { ToolLimits } from "./limits.ts";
import type { ToolPolicy } from "./policy.ts";

/** A tool that core offers to agents. Stateless: what a call needs is in its context. */
export interface Tool {
  readonly description: ToolDescription;
  /** Whether an unfinished call may run again after a crash. `false` ends the turn `interrupted` instead. */
  readonly isRepeatable: boolean;
  /** For a tool that needs more or less time than the limits give, for example because it waits on purpose. */
  readonly timeoutMs?: number;
  /** The caller's timeout is this much later: a tool that ends itself in time can still return what it has. */
  readonly graceMs?: number;
  /** Absent: it changes only Banyan's own records. Else each call is audited, before it runs as well. */
  readonly effect?: "writes" | "runs";
  /** Validates the arguments, which may be anything; called before the checks, must do no I/O and not throw. */
  prepare(args: unknown): PreparedCall;
}

export type PreparedCall =
  | { readonly kind: "ready"; readonly run: (context: ToolContext) => Promise<ToolResult>; readonly use?: ToolUse }
  /** A sentence that the agent can act on. */
  | { readonly kind: "invalid"; readonly problem: string };

/** What a call will touch, by its arguments; the checks before the call read it. */
export interface ToolUse {
  /** As the agent wrote them. */
  readonly paths?: readonly { readonly path: string; readonly access: PathAccess }[];
  /** A program with its arguments and its working folder, as the agent wrote them. */
  readonly command?: { readonly argv: readonly string[]; readonly cwd: string };
  /** Of the content that the call writes. */
  readonly writeBytes?: number;
}

/** The turn that makes the call. */
export interface ToolTurn {
  /** Its lane item: with the call's ordinal the key for tools that must not act twice. */
  readonly itemSeq: number;
  /** Its claim of the lane: the store refuses a step with it once another process runs the lane. */
  readonly epoch: number;
  /** The run that the turn works for. */
  readonly runId?: string;
  /** The address of its answer, also if it is quiet. */
  readonly address: Address;
  /** Its messages go to no chat. */
  readonly isQuiet: boolean;
  /** How many messages between agents led to it. */
  readonly hops?: number;
  /** The conversation of the turn. */
  readonly sessionId: string;
  /** The platform's id of the person whose message caused it. */
  readonly person?: string;
  /** Messages that it answers in addition to its own, with their files. */
  readonly taken?: readonly {
    readonly seq: number;
    readonly address: string;
    readonly body: { readonly attachments?: readonly AttachmentReference[] };
  }[];
  /** The files of the message that it answers. */
  readonly attachments?: readonly AttachmentReference[];
  /** The policies of its session. */
  readonly policies: readonly ToolPolicy[];
}

/** Who calls, on which paths and within which limits. */
interface CallBounds extends WorkspaceBounds {
  readonly caller: ToolTurn;
  /** Those of the boundaries are included. */
  readonly limits: ToolLimits;
  readonly signal: AbortSignal;
}

/** What a tool gets. Its signal aborts with the turn or after its time; what it answers after that is ignored. */
export interface ToolContext extends CallBounds {
  /** Who calls; the turn and the call's ordinal are the key for tools that must not act twice. */
  readonly event: ToolCallEvent;
}

/** What the calling session may use. Its signal is that of the turn. */
export interface ToolScope extends CallBounds {
  /** Its own and those of its parents. */
  readonly policies: readonly ToolPolicy[];
  /** Asks a person. Rejects only when the lane is lost. */
  ask(request: PermissionRequest): Promise<PermissionVerdict>;
  /** Adds a line to the audit, stored with the next step of the call. */
  record(audit: NewAudit): void;
  /** Called right before the tool runs. Rejects only when the lane is lost. */
  begin(): Promise<void>;
}

/** A call as the checks of the chain get it. */
export interface CheckedCall {
  readonly event: ToolCallEvent;
  /** Absent: the agent has no such tool. */
  readonly tool?: Tool;
  readonly use: ToolUse;
  readonly scope: ToolScope;
}

/** How a call ended: it did not run (`refused`, `invalid`, `stopped`), or it ran to its result. */
export interface CallEnd {
  readonly kind: "refused" | "invalid" | "stopped" | "ran";
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** What a check decides before a call: it is refused, or a person must allow it. */
export type CheckVerdict =
  | { readonly kind: "refuse"; readonly failure: "refused" | "permission" | "resource"; readonly why: string }
  | { readonly kind: "ask" };

/**
 * One check of the chain that every tool call passes, the host's or a plugin's taps. Called by priority, the highest
 * first. What it throws before a call refuses the call; what it throws after it is logged.
 */
export interface ToolCheck {
  readonly name: string;
  /** 1 to 10. */
  readonly priority: number;
  /** Called before a person is asked. The first refusal ends the call. */
  readonly pre?: (call: CheckedCall) => CheckVerdict | undefined | Promise<CheckVerdict | undefined>;
  /** Called immediately before the tool runs; a returned sentence refuses the call. */
  readonly begin?: (call: CheckedCall) => string | undefined;
  /** Called after the tool ran; may return another result. */
  readonly post?: (call: CheckedCall, result: ToolResult) => ToolResult | undefined | Promise<ToolResult | undefined>;
  /** Called once at the end of each call, however it ended. Must not throw. */
  readonly settle?: (call: CheckedCall, end: CallEnd) => void;
}
