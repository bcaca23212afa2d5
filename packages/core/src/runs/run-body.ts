import type { RunMode } from "@banyan/plugin-sdk";
import type { SandboxLevel } from "../config/shapes/sandbox-level.ts";

export const ANNOUNCE_WAYS = ["parent", "direct"] as const;
/** Who tells the chat: the requester by its answer, or the host at once. */
export type AnnounceWay = (typeof ANNOUNCE_WAYS)[number];

/**
 * What stands in a run's body: what it was asked to do and under which rules, fixed when it was accepted. It holds no
 * session key and no address, because these can move. Times in milliseconds.
 */
export interface RunBody {
  readonly task: string;
  readonly taskName?: string;
  readonly label?: string;
  /** Who asked: an agent's tool, a person's command, or a message from one session to another. */
  readonly source: "tool" | "command" | "send";
  /** The platform's id of whoever's message brought its spawn about. */
  readonly askedBy?: string;
  /** The child's agent. */
  readonly agentId: string;
  readonly model?: string;
  readonly thinking?: string;
  /** Of the child, whichever of its runs this is. */
  readonly mode: RunMode;
  readonly cleanup: "delete" | "keep";
  readonly announce: AnnounceWay;
  readonly expectsCompletionMessage: boolean;
  /** Absent: it may take as long as it takes. */
  readonly timeoutMs?: number;
  /** Of a child with mode `run`; absent: it is not archived by itself. */
  readonly archiveAfterMs?: number;
  /** After its end, the host speaks where the requester did not. */
  readonly announceTimeoutMs: number;
  readonly depth: number;
  readonly sandbox: SandboxLevel;
  /** Absolute. */
  readonly workspaceDir: string;
  readonly threadRequested: boolean;
  /** What may stand open on the platform for it, from the reservation on. */
  readonly bindingId?: string;
  /** The delivery whose message shows how it fares, where its channel can edit one. */
  readonly anchor?: string;
  /** Names of files below `<workspaceDir>/.banyan/<runId>/`. */
  readonly attachments: readonly string[];
  /** It was asked for by a turn that spoke to no chat: where that was a sub-agent's, no chat is told of it either. */
  readonly isQuiet?: boolean;
  /** Messages from agent to agent that led to it: its completion carries the count on. */
  readonly hops?: number;
}

export function formatRunBody(body: RunBody): string {
  return JSON.stringify(body);
}

/** The body is our own writing, so it is not checked again. */
export function parseRunBody(body: string): RunBody {
  return JSON.parse(body);
}

/** What people call a run by: its label, else its task's name, else how its task begins. */
export function nameRun({ label, taskName, task }: Pick<RunBody, "label" | "taskName" | "task">): string {
  if (label !== undefined || taskName !== undefined) return label ?? taskName ?? "";
  const [line = ""] = task.trim().split("\n", 1);
  return line.length > 60 ? `${line.slice(0, 60).toWellFormed()}…` : line;
}
