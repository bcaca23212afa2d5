import type {
  Address,
  AttachmentReference,
  PermissionRequest,
  PermissionVerdict,
  ToolCallEvent,
  ToolDescription,
  ToolResult,
} from "@banyan/plugin-sdk";
import type { NewAudit } from "@banyan/plugin-sdk/store";
import type { PathAccess } from "./boundaries/decide.ts";
import type { WorkspaceBounds } from "./files/workspace-path.ts";
import type { ToolLimits } from "./limits.ts";
import type { ToolPolicy } from "./policy.ts";

/** A tool that core offers to agents. Stateless: what a call needs is in its context. */
export interface Tool {
  readonly description: ToolDescription;
  /** Whether an unfinished call may run again after a crash. `false` ends the turn `interrupted` instead. */
  readonly isRepeatable: boolean;
  /** Milliseconds, where the tool needs more or less than the limits give; for tools that wait on purpose. */
  readonly timeoutMs?: number;
  /** So much later its time is over for the caller: a tool that ends itself in time says what it has until then. */
  readonly graceMs?: number;
  /** Absent: it changes nothing but Banyan's own records. Else each call is audited, before it runs as well. */
  readonly effect?: "writes" | "runs";
  /** Validates the arguments, which may be anything; called before the hooks, must do no I/O and not throw. */
  prepare(args: unknown): PreparedCall;
}

export type PreparedCall =
  | { readonly kind: "ready"; readonly run: (context: ToolContext) => Promise<ToolResult>; readonly use?: ToolUse }
  /** A sentence the agent can act on. */
  | { readonly kind: "invalid"; readonly problem: string };

/** What a call is going to touch, as its arguments say it: what the checks before it look at. */
export interface ToolUse {
  /** As the agent wrote them. */
  readonly paths?: readonly { readonly path: string; readonly access: PathAccess }[];
  /** A program with its arguments, and where it starts, as the agent wrote it. */
  readonly command?: { readonly argv: readonly string[]; readonly cwd: string };
  /** Of what is to be written. */
  readonly writeBytes?: number;
}

/** The turn that calls. */
export interface ToolTurn {
  /** Its lane item: with the call's ordinal the key for tools that must not act twice. */
  readonly itemSeq: number;
  /** Its claim of the lane: what it asks the store for is refused once another process runs the lane. */
  readonly epoch: number;
  /** The run that it works for. */
  readonly runId?: string;
  /** Where it speaks, or would. */
  readonly address: Address;
  /** What it says goes to no chat. */
  readonly isQuiet: boolean;
  /** Messages from agent to agent that led to it. */
  readonly hops?: number;
  /** The conversation that it belongs to. */
  readonly sessionId: string;
  /** The platform's id of whoever's message brought it about. */
  readonly person?: string;
  /** Messages that it answers to beside its own, with their files. */
  readonly taken?: readonly {
    readonly seq: number;
    readonly address: string;
    readonly body: { readonly attachments?: readonly AttachmentReference[] };
  }[];
  /** The files that came with what it answers to. */
  readonly attachments?: readonly AttachmentReference[];
  /** The policies that hold in its session. */
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
  /** Keeps a line for the audit: it is written with what the call writes next. */
  record(audit: NewAudit): void;
  /** Called right before the tool runs. Rejects only when the lane is lost. */
  begin(): Promise<void>;
}

/** A call as the hooks of the chain see it. */
export interface CheckedCall {
  readonly event: ToolCallEvent;
  /** Absent: the agent has no such tool. */
  readonly tool?: Tool;
  readonly use: ToolUse;
  readonly scope: ToolScope;
}

/** How a call ended: not at all (`refused`, `invalid`, `stopped`), or by its own result. */
export interface CallEnd {
  readonly kind: "refused" | "invalid" | "stopped" | "ran";
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** What a hook says before a call: that it is refused, or that a person must allow it. */
export type CheckVerdict =
  | { readonly kind: "refuse"; readonly failure: "refused" | "permission" | "resource"; readonly why: string }
  | { readonly kind: "ask" };

/**
 * One hook of the chain that every tool call passes, the host's own or a plugin's taps. Called in the order of the
 * priorities, the larger first. What it throws before a call refuses it; what it throws afterwards is logged.
 */
export interface ToolCheck {
  readonly name: string;
  /** 1 to 10. */
  readonly priority: number;
  /** Before anybody is asked. The first refusal ends the call. */
  readonly pre?: (call: CheckedCall) => CheckVerdict | undefined | Promise<CheckVerdict | undefined>;
  /** Right before the tool runs; what it says is the last word, and a refusal. */
  readonly begin?: (call: CheckedCall) => string | undefined;
  /** When the tool ran: another result. */
  readonly post?: (call: CheckedCall, result: ToolResult) => ToolResult | undefined | Promise<ToolResult | undefined>;
  /** However the call ended; once for each. Must not throw. */
  readonly settle?: (call: CheckedCall, end: CallEnd) => void;
}
