import { isAddress } from "@banyan/plugin-sdk";
import type { BindingRow } from "@banyan/plugin-sdk/store";
import { inTime, LATE } from "../ports/in-time.ts";
import { untilAborted } from "../ports/pause.ts";
import { parseRunRow, type RunRecord } from "../runs/run-record.ts";
import { boldRun } from "./commands/run-rows.ts";
import { freeThread } from "./free-gone-thread.ts";
import type { SubagentParts } from "./subagent-parts.ts";

/** A person may wait for it. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Threads that sub-agents live in are looked at once, when their accounts are connected: what became of them while no
 * gateway ran is noticed before an answer is due there. One after the other, beside all else. Never rejects.
 */
export async function lookAtBoundThreads(parts: SubagentParts): Promise<void> {
  const { store, ports, signal, whenTried } = parts;
  try {
    const { bindings } = await store.read.routes();
    for (const binding of bindings) {
      if (binding.kind !== "thread" || !isAddress(binding.address)) continue;
      await Promise.race([whenTried(binding.address), untilAborted(signal)]);
      if (signal.aborted) return;
      await freeIfGone(binding, parts);
    }
  } catch (error) {
    if (!signal.aborted) ports.log.error({ err: error }, "the threads of sub-agents could not be looked at");
  }
}

/**
 * Whether the platform says that nothing can be written there any more; then the place is free, and people in its chat are
 * told. `false` also where it does not answer. Rejects where that could not be written.
 */
export async function freeIfGone({ address, sessionKey }: BindingRow, parts: SubagentParts): Promise<boolean> {
  if (!isAddress(address)) return false;
  const threads = parts.threadHost.findThreads(address);
  if (threads === undefined || threads === "none") return false;
  const { clock, log } = parts.ports;
  try {
    const state = await inTime(threads.probe(address), LOOK_TIMEOUT_MS, clock, parts.signal);
    if (state === LATE || state !== "gone") return false;
  } catch (error) {
    log.debug({ err: error, address }, "a thread could not be looked at");
    return false;
  }
  const [row] = await parts.store.read.runs({ childSessionKey: sessionKey, newest: true, limit: 1 });
  await freeThread(address, parts, row && formatGoneThread(parseRunRow(row)));
  return true;
}

/** What people are told in the chat that the thread of a sub-agent was in. */
export function formatGoneThread(run: Pick<RunRecord, "name">): string {
  return `The thread of ${boldRun(run)} is deleted or closed, or I may not write there any more. \`/subagents send\` still reaches the sub-agent.`;
}
