import { type Address, isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { BindingRow, RunRow, TimerRow } from "@banyan/plugin-sdk/store";
import {
  closeSpawnThread,
  renameSpawnThread,
  type ThreadCall,
  withdrawSpawnThread,
} from "../../bindings/close-spawn-thread.ts";
import { nameThread } from "../../bindings/thread-name.ts";
import { readCompletion } from "../../runs/host-announcement.ts";
import { parseRunBody } from "../../runs/run-body.ts";
import { parseRunRow } from "../../runs/run-record.ts";
import { parseThreadTimer } from "../../runs/thread-timer.ts";
import { freeThread } from "../free-gone-thread.ts";
import { formatGoneThread, freeIfGone } from "../look-at-threads.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { decideNextPause, endTimer, rearmTimer } from "./due-timer.ts";

/** What is on its way to a thread is there in a moment, mostly. */
const UNSENT_PAUSE_MS = 500;
/** Rows on their way that are looked through for some of the thread. */
const MOST_ROWS = 1_000;

/** Closes a thread that is bound no more, behind the last words in it. */
export async function closeRunThread(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const closing = parseThreadTimer(timer);
  if (closing === undefined) return endTimer(timer, parts);
  const { bindingId, address, runId } = closing;
  // It was bound anew: it is open because somebody works there.
  if ((await findBinding(address, parts)) !== undefined) return endTimer(timer, parts);
  // A message that comes behind would open it again.
  if (await hasUnsent(address, parts)) return settle(timer, "busy", parts);
  const run = await parts.store.read.run(runId);
  const { outcome } = run?.result === undefined ? {} : readCompletion(run);
  const thread = { bindingId, address, name: nameThreadOf(run, address, parts) };
  const end = await closeSpawnThread({ ...thread, ...(outcome === undefined ? {} : { outcome }) }, parts.threadHost);
  await settle(timer, end, parts);
}

/** Shows in a thread's name how its run has ended, behind the last words in it; the thread stays open. */
export async function renameRunThread(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const naming = parseThreadTimer(timer);
  const run = naming === undefined ? undefined : await parts.store.read.run(naming.runId);
  if (naming === undefined || run?.result === undefined) return endTimer(timer, parts);
  const { address } = naming;
  const binding = await findBinding(address, parts);
  // Another one's place by now.
  if (binding !== undefined && binding.sessionKey !== run.childSessionKey) return endTimer(timer, parts);
  // A platform may have put a quiet thread to sleep, and its last words wake it.
  if (await hasUnsent(address, parts)) return settle(timer, "busy", parts);
  const { outcome } = readCompletion(run);
  const { ports, threadHost } = parts;
  ports.faultPoint("rename.before");
  const end = await renameSpawnThread({ address, name: nameThreadOf(run, address, parts), outcome }, threadHost);
  ports.faultPoint("rename.after");
  if (end === "gone" && binding !== undefined && !(await freeIfGone(binding, parts)))
    await freeThread(address, parts, { text: formatGoneThread(parseRunRow(run)), by: "look", to: "requester" });
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

/** As it was opened. */
function nameThreadOf(run: RunRow | undefined, address: Address, { ports, getThreadRules }: SubagentParts): string {
  const { label, task = "" } = run?.result === undefined ? {} : readCompletion(run);
  const named = nameThread({ task, ...(label === undefined ? {} : { label }) }, getThreadRules(address).nameFrom);
  return ports.scrub(named);
}

async function findBinding(address: Address, { store }: SubagentParts): Promise<BindingRow | undefined> {
  return (await store.read.routes()).bindings.find((binding) => binding.address === address);
}

async function hasUnsent(address: Address, { store }: SubagentParts): Promise<boolean> {
  const { channel, account } = parseAddress(address);
  const rows = await store.read.deliveries({ states: ["pending", "sending"], channel, account, limit: MOST_ROWS });
  return rows.some((row) => row.address === address);
}

async function settle(timer: TimerRow, end: ThreadCall | "busy", parts: SubagentParts): Promise<void> {
  const firstPauseMs = end === "busy" ? UNSENT_PAUSE_MS : undefined;
  const isOver = end === "done" || end === "gone";
  const pauseMs = isOver ? undefined : decideNextPause(timer, firstPauseMs);
  if (pauseMs !== undefined) return rearmTimer(timer, pauseMs, parts);
  if (!isOver)
    parts.ports.log.error({ subject: timer.subject }, "a thread could not be closed or renamed for a day; it stays");
  return endTimer(timer, parts);
}
