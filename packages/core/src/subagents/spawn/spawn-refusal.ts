/** Why nothing was spawned, one word for each reason, in the order in which they are found. */
export type SpawnRefusalCode =
  | "request_invalid"
  | "not_there_yet"
  | "agent_id_invalid"
  | "agent_id_required"
  | "runtime_unfit"
  | "resume_unfit"
  | "mode_unknown"
  | "mode_needs_thread"
  | "thinking_unknown"
  | "model_unknown"
  | AttachmentProblemCode
  | "depth_reached"
  | "children_reached"
  | "tree_reached"
  | "agent_not_allowed"
  | "agent_unknown"
  | "workspace_outside"
  | "workspace_missing"
  | "sandbox_lower"
  | "sandbox_required"
  | "resume_unknown"
  | "resume_busy"
  | "thread_unavailable"
  | "thread_refused"
  | "requester_ended"
  | "requester_gone"
  | "spawn_failed";

export type AttachmentProblemCode =
  | "attachments_malformed"
  | "attachments_too_many"
  | "attachment_name_invalid"
  | "attachment_name_duplicate"
  | "attachment_content_invalid"
  | "attachment_too_large"
  | "attachments_too_large";

/** `error`: ask differently. `forbidden`: the rules do not allow it. */
export interface SpawnRefusal {
  readonly kind: "refused";
  readonly status: "error" | "forbidden";
  readonly code: SpawnRefusalCode;
  /** A sentence that says what to do instead. */
  readonly error: string;
}

export function refuseSpawn(status: SpawnRefusal["status"], code: SpawnRefusalCode, problem: string): SpawnRefusal {
  return { kind: "refused", status, code, error: `Spawning a sub-agent: ${problem}` };
}
