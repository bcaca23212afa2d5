import type { AgentRuntime, Clock, RuntimeSession, SessionSpec } from "@banyan/plugin-sdk";
import { BanyanError } from "../ports/errors.ts";
import { inTime, LATE } from "../ports/in-time.ts";
import { isSettledSoon } from "../ports/settled-soon.ts";
import { createAcpKeeper } from "./keep-acp.ts";
import type { TurnAgent, TurnParts } from "./turn-parts.ts";

/** Whoever opens longer than that hangs: nobody is to wait for it, and no place among the running ones be held by it. */
const OPEN_LIMIT_MS = 10_000;
/** No runtime may ask for more. */
const LONGEST_OPEN_LIMIT_MS = 30_000;

/** The runtime of an agent; rejects with `runtime_late` when it is not there in time. */
export function getRuntimeInTime(
  runtimeId: string,
  { getRuntime, ports: { clock } }: TurnParts,
  signal: AbortSignal,
): Promise<AgentRuntime> {
  return openInTime(getRuntime(runtimeId), { runtimeId, limitMs: OPEN_LIMIT_MS, clock, signal });
}

/** Opens its side of a session; rejects with `runtime_late` when that takes too long. What opens later is closed. */
export async function openRuntime(
  runtime: AgentRuntime,
  spec: SessionSpec,
  giveUp: AbortController,
  parts: TurnParts,
): Promise<RuntimeSession> {
  const { clock, log } = parts.ports;
  const limitMs = Math.min(runtime.openTimeoutMs ?? OPEN_LIMIT_MS, LONGEST_OPEN_LIMIT_MS);
  const opening = runtime.open(spec, { clock, log, keepAcp: createAcpKeeper(spec, parts) }, giveUp.signal);
  try {
    return await openInTime(opening, { runtimeId: runtime.id, limitMs, clock, signal: giveUp.signal });
  } catch (error) {
    if (error instanceof BanyanError && error.code === "runtime_late") {
      giveUp.abort(error);
      void closeLate(opening, runtime.id, log);
    }
    throw error;
  }
}

/** A strict sandbox has no process of its own: not of the tool `exec`, and not of a runtime. */
export function refuseProcess({ id, runtime }: Pick<TurnAgent, "id" | "runtime">): BanyanError {
  return new BanyanError(
    "runtime_unavailable",
    `The runtime ${runtime} was opened: it starts a process, and the sandbox of the agent ${id}, or of one above it, is "strict"; use another runtime or a lower level`,
  );
}

interface OpenLimit {
  readonly runtimeId: string;
  readonly limitMs: number;
  readonly clock: Clock;
  /** Nobody waits any longer, so that nothing has to come in time. */
  readonly signal: AbortSignal;
}

async function openInTime<Result>(
  work: Promise<Result>,
  { runtimeId, limitMs, clock, signal }: OpenLimit,
): Promise<Result> {
  if (await isSettledSoon(work)) return work;
  const end = await inTime(work, limitMs, clock, signal);
  if (end !== LATE) return end;
  if (signal.aborted) return work;
  throw new BanyanError(
    "runtime_late",
    `The runtime ${runtimeId} was opened: it was not ready after ${limitMs / 1_000} s; see whether all that it needs is there`,
  );
}

/** Nobody uses it any more, and it may hold a process. */
async function closeLate(opening: Promise<RuntimeSession>, runtime: string, log: TurnParts["ports"]["log"]) {
  try {
    await (await opening).close();
    log.warn({ runtime }, "a runtime opened too late and was closed");
  } catch (error) {
    log.warn({ err: error, runtime }, "a runtime that was given up failed");
  }
}
