import { isAddress, type ThreadBinding } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/store";
import { withdrawSpawnThread } from "../../../bindings/close-spawn-thread.ts";
import { openSpawnThread } from "../../../bindings/open-spawn-thread.ts";
import { commitPatiently } from "../../../ports/commit-step.ts";
import type { RunBody } from "../../../runs/run-body.ts";
import { buildRunTimer } from "../../../runs/run-timer.ts";
import type { SubagentParts } from "../../subagent-parts.ts";
import type { SpawnDraft } from "../spawn-draft.ts";
import type { SpawnRefusal } from "../spawn-refusal.ts";
import { buildSpawningRun } from "../spawning-run.ts";
import { refuseUnbound } from "../thread-availability.ts";

const RETRY_MS = 5_000;

/** Stage 12: asks for a thread under the id that the reservation holds; for none where none is wanted. */
export async function bindThread(
  draft: SpawnDraft,
  { hooks }: Pick<SubagentParts, "hooks">,
): Promise<SpawnRefusal | { readonly kind: "open"; readonly binding: ThreadBinding | undefined }> {
  const { body, requester } = draft.plan;
  if (!body.threadRequested) return { kind: "open", binding: undefined };
  const opened = await openSpawnThread(hooks, buildSpawningRun(draft));
  switch (opened.kind) {
    case "bound":
      return { kind: "open", binding: opened.binding };
    case "refused":
      return { kind: "refused", status: "error", code: "thread_refused", error: opened.error };
    case "none":
      return refuseUnbound(requester.channel);
  }
}

/** Takes back what stage 12 may have opened. What cannot be taken back now is left to a timer. Repeatable. */
export async function withdrawThread(
  { runId, route: parent }: Pick<RunRow, "runId" | "route">,
  { bindingId }: Pick<RunBody, "bindingId">,
  parts: Pick<SubagentParts, "store" | "ports" | "signal" | "threadHost" | "wakeTimers">,
): Promise<void> {
  if (bindingId === undefined || !isAddress(parent)) return;
  const end = await withdrawSpawnThread({ bindingId, parent }, parts.threadHost);
  if (end === "done" || end === "gone") return;
  const arm = [buildRunTimer("thread-withdrawal", runId, RETRY_MS)];
  await commitPatiently(parts.store, { step: "set_timers", arm, end: [] }, parts.ports, parts.signal);
  parts.wakeTimers();
}
