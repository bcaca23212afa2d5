import { type Address, isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { RunRow, TimerRow } from "@banyan/plugin-sdk/store";
import { closeSpawnThread, type ThreadCall, withdrawSpawnThread } from "../../bindings/close-spawn-thread.ts";
import { nameThread } from "../../bindings/thread-name.ts";
import { readCompletion } from "../../runs/host-announcement.ts";
import { parseRunBody } from "../../runs/run-body.ts";
import { parseThreadClosing } from "../../runs/thread-timer.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { decideNextPause, endTimer, rearmTimer } from "./due-timer.ts";

/** Rows on their way that are looked through for some of the thread. */
const MOST_ROWS = 1_000;

/** Closes a thread that is bound no more, behind the last words in it. */
export async function closeRunThread(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const closing = parseThreadClosing(timer.subject);
  if (closing === undefined) return endTimer(timer, parts);
  const { address, runId } = closing;
  const { bindings } = await parts.store.read.routes();
  // It was bound anew: it is open because somebody works there.
  if (bindings.some((binding) => binding.address === address)) return endTimer(timer, parts);
  // A message that comes behind would open it again.
  const isBusy = await hasUnsent(address, parts);
  const end = isBusy ? "absent" : await close(address, await parts.store.read.run(runId), parts);
  await settle(timer, end, parts);
}

/** Takes back what stands open on the platform for a spawn that was cut off. */
export async function withdrawRunThread(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const run = await parts.store.read.run(timer.subject);
  if (run === undefined) return endTimer(timer, parts);
  const { bindingId } = parseRunBody(run.body);
  const { route: parent, state, endedReason } = run;
  if (state === "reserved") return settle(timer, "absent", parts);
  // It was accepted after all.
  if (endedReason !== "spawn-failed" || bindingId === undefined || !isAddress(parent)) return endTimer(timer, parts);
  return settle(timer, await withdrawSpawnThread({ bindingId, parent }, parts.threadHost), parts);
}

async function close(address: Address, run: RunRow | undefined, parts: SubagentParts): Promise<ThreadCall> {
  const { label, task = "", outcome } = run?.result === undefined ? {} : readCompletion(run);
  const name = nameThread({ task, ...(label === undefined ? {} : { label }) }, parts.getThreadRules(address).nameFrom);
  return closeSpawnThread({ address, name, ...(outcome === undefined ? {} : { outcome }) }, parts.threadHost);
}

async function hasUnsent(address: Address, { store }: SubagentParts): Promise<boolean> {
  const { channel, account } = parseAddress(address);
  const rows = await store.read.deliveries({ states: ["pending", "sending"], channel, account, limit: MOST_ROWS });
  return rows.some((row) => row.address === address);
}

async function settle(timer: TimerRow, end: ThreadCall, parts: SubagentParts): Promise<void> {
  const pauseMs = end === "done" ? undefined : decideNextPause(timer);
  if (pauseMs !== undefined) return rearmTimer(timer, pauseMs, parts);
  if (end !== "done")
    parts.ports.log.error({ subject: timer.subject }, "a thread could not be closed for a day; it stays");
  return endTimer(timer, parts);
}
