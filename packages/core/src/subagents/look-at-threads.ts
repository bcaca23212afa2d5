import { isAddress } from "@banyan/plugin-sdk";
import type { BindingRow } from "@banyan/plugin-sdk/store";
import { inTime, LATE } from "../ports/in-time.ts";
import { pause, untilAborted } from "../ports/pause.ts";
import { parseRunRow, type RunRecord } from "../runs/run-record.ts";
import { boldRun } from "./commands/run-rows.ts";
import { freeThread } from "./free-gone-thread.ts";
import type { SubagentParts } from "./subagent-parts.ts";

/** A person may wait for it. */
const LOOK_TIMEOUT_MS = 5_000;

/** Whose account is not connected is looked at again after this pause, for an hour. */
const ROUND_PAUSE_MS = 60_000;
const MOST_ROUNDS = 60;

/**
 * Looks once at each thread that a sub-agent lives in, as soon as its account is connected: what became of it while no
 * gateway ran is noticed before an answer is due there. One after the other. Never rejects.
 */
export async function lookAtBoundThreads(parts: SubagentParts): Promise<void> {
  const { store, ports, signal } = parts;
  const looked = new Set<string>();
  try {
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const { bindings } = await store.read.routes();
      const left = bindings.filter(({ id, kind }) => kind === "thread" && !looked.has(id));
      for (const binding of left) if (await lookAt(binding, parts)) looked.add(binding.id);
      if (signal.aborted || left.every(({ id }) => looked.has(id))) return;
      await pause(ports.clock, ROUND_PAUSE_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) ports.log.error({ err: error }, "the threads of sub-agents could not be looked at");
  }
}

/** `false`: its account is not connected. */
async function lookAt(binding: BindingRow, parts: SubagentParts): Promise<boolean> {
  if (!isAddress(binding.address)) return true;
  await Promise.race([parts.whenTried(binding.address), untilAborted(parts.signal)]);
  if (parts.signal.aborted || parts.threadHost.findThreads(binding.address) === undefined) return false;
  await freeIfGone(binding, parts);
  return true;
}

/**
 * Whether the platform says that nothing can be written there any more; then the place is free, and people in its chat are
 * told. `false` also where it does not answer. Rejects where that could not be written.
 */
export async function freeIfGone({ id, address, sessionKey }: BindingRow, parts: SubagentParts): Promise<boolean> {
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
  // The plugin knew the reason, and has told it.
  const { bindings } = await parts.store.read.routes();
  if (!bindings.some((binding) => binding.id === id)) return true;
  const [row] = await parts.store.read.runs({ childSessionKey: sessionKey, newest: true, limit: 1 });
  await freeThread(address, parts, row && { text: formatGoneThread(parseRunRow(row)), by: "look", to: "requester" });
  return true;
}

/** What people are told where the sub-agent was asked for. */
export function formatGoneThread(run: Pick<RunRecord, "name">): string {
  return `The thread of ${boldRun(run)} is deleted or closed, or I may not write there any more. \`/subagents send\` still reaches the sub-agent.`;
}
