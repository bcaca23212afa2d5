import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { BanyanError, callGatewayInfo, callGatewayStatus, type GatewayInfo, type GatewayStatus } from "@banyan/core";

/** A gateway that starts or stops holds the lock without an answer for at most this long. */
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** A gateway holds the state directory and does not respond. */
export class SilentGateway extends BanyanError {
  /** `undefined`: it has not written it yet. */
  readonly pid: number | undefined;
  readonly holder: string;
  readonly cure: string;

  constructor(stateDir: string, pid: number | undefined, cause: unknown) {
    const holder = pid === undefined ? "a process" : `PID ${pid}`;
    const [resume, kill] = pid === undefined ? ["", ""] : [` (kill -CONT ${pid})`, ` (kill -9 ${pid})`];
    const cure = `if it is starting or stopping, try again; if it is suspended, resume it${resume}; else kill it${kill} and run banyan start, nothing is lost`;
    super("gateway_silent", `Calling the gateway on ${stateDir}: ${holder} uses it and does not respond; ${cure}`, {
      cause,
    });
    this.pid = pid;
    this.holder = holder;
    this.cure = cure;
  }
}

/** Returns the silent gateway instead of throwing it. */
export async function orSilent<Found>(finding: Promise<Found>): Promise<Found | SilentGateway> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof SilentGateway) return error;
    throw error;
  }
}

/** Finds the address of the gateway on the state directory; `undefined`: none runs. Throws a `SilentGateway`. */
export function findGateway(stateDir: string, patienceMs: number = PATIENCE_MS): Promise<GatewayInfo | undefined> {
  return findAnswer(stateDir, () => callGatewayInfo(stateDir), patienceMs);
}

/** Reads the status of the gateway on the state directory; `undefined`: none runs. Throws a `SilentGateway`. */
export function findGatewayStatus(
  stateDir: string,
  patienceMs: number = PATIENCE_MS,
): Promise<GatewayStatus | undefined> {
  return findAnswer(stateDir, () => callGatewayStatus(stateDir), patienceMs);
}

/**
 * The socket alone is not enough: a gateway that is starting, stopping or suspended does not answer, but holds the
 * lock. The first two are short, so they are waited for.
 */
async function findAnswer<Answer>(
  stateDir: string,
  call: () => Promise<Answer>,
  patienceMs: number,
): Promise<Answer | undefined> {
  const begunMs = performance.now();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof BanyanError && error.code === "control_unavailable")) throw error;
      const holder = await findHolder(stateDir);
      if (holder === undefined) return undefined;
      if (performance.now() - begunMs >= patienceMs) throw new SilentGateway(stateDir, holder.pid, error);
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

async function findHolder(stateDir: string): Promise<{ readonly pid?: number } | undefined> {
  if (!existsSync(stateDir)) return undefined;
  const { findSqliteHolder } = await import("@banyan/store-sqlite");
  return findSqliteHolder(stateDir);
}
