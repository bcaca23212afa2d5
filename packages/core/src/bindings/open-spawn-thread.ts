import { type Address, isAddress, parseAddress, type SpawningRun, type ThreadBinding } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";

export type OpenedThread =
  | { readonly kind: "bound"; readonly binding: ThreadBinding }
  /** `error`: a sentence for whoever spawned. */
  | { readonly kind: "refused"; readonly error: string }
  /** No tap of the requester's channel answered. */
  | { readonly kind: "none" };

/** What the hook gives for a tap that threw or did not end. */
const HOOK_FAILED = "hook_failed";
/** What a plugin says of a failure is shown to an agent; a longer text is no sentence. */
const LONGEST_ERROR_CHARS = 1_000;

const answerShape = z.union([
  z.object({
    status: z.literal("ok"),
    threadBindingReady: z.literal(true),
    binding: z.object({ id: z.string().min(1), address: z.string() }),
  }),
  z.object({ status: z.literal("error"), error: z.string().trim().min(1) }),
]);

/**
 * Asks the hook `subagent_spawning` for a thread. What the taps answer is judged here: they may be written without types,
 * and what is bound gets everything that people write there. The binding's id is the reservation's, whatever a tap says.
 */
export async function openSpawnThread(
  hooks: Pick<CallableHooks, "subagent_spawning">,
  run: SpawningRun,
): Promise<OpenedThread> {
  const given: unknown = await hooks.subagent_spawning.call(run);
  if (given === undefined) return { kind: "none" };
  const parsed = answerShape.safeParse(given);
  if (!parsed.success) return refuseUnusable(run);
  const answer = parsed.data;
  if (answer.status === "error") return { kind: "refused", error: formatRefusal(answer.error, run) };
  const { id, address } = answer.binding;
  if (!isThreadOf(address, run)) return refuseUnusable(run);
  return { kind: "bound", binding: { id: run.bindingId ?? id, address } };
}

/** A place of the account that was asked, and not the conversation itself: that stays the requester's. */
function isThreadOf(text: string, { requester }: SpawningRun): text is Address {
  if (!isAddress(text) || text === requester.address) return false;
  try {
    const { channel, account } = parseAddress(text);
    return channel === requester.channel && account === requester.accountId;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function formatRefusal(error: string, run: SpawningRun): string {
  if (error !== HOOK_FAILED) return error.slice(0, LONGEST_ERROR_CHARS).toWellFormed();
  return `${begin(run)}: the plugin failed or gave no answer in time (${HOOK_FAILED}); try again later, or spawn without a thread`;
}

function refuseUnusable(run: SpawningRun): OpenedThread {
  const error = `${begin(run)}: no thread could be created or bound, because the plugin's answer was none that can be used; spawn without a thread, and tell the plugin's author`;
  return { kind: "refused", error };
}

function begin({ requester }: SpawningRun): string {
  return `A thread was asked for on ${requester.channel}/${requester.accountId}`;
}
