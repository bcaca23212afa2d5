import { BanyanError, type Config, type GatewayStatus } from "@banyan/core";
import { type StoreCounts, StoreError } from "@banyan/store";
import { findGatewayStatus, orSilent, SilentGateway } from "./find-gateway.ts";
import { countUndelivered } from "./list-deliveries.ts";
import { readState } from "./read-state.ts";

/** What a running gateway says, or else what its database knows. */
export interface StateStatus {
  /** No gateway runs, and a start would refuse the state directory: the reason and what to do. */
  readonly loss?: string;
  /** Absent: none runs. */
  readonly gateway?: GatewayStatus;
  /** A gateway holds the state directory and does not respond. */
  readonly silent?: SilentGateway;
  /** Absent: nothing was ever stored, or nobody but a gateway can read it. */
  readonly counts?: StoreCounts;
  /** By account (`telegram/default`); accounts without any are left out. */
  readonly undelivered: Readonly<Record<string, number>>;
}

export async function readStatus(config: Config): Promise<StateStatus> {
  const found = await findReport(config.stateDir);
  if (config.store.driver === "memory") {
    return { ...found, undelivered: {}, ...(found.gateway === undefined ? {} : { counts: found.gateway.counts }) };
  }
  // What is in the place of its files belongs to nothing it knows.
  if (found.gateway?.failure !== undefined) return { ...found, undelivered: {} };
  const isHeld = found.gateway !== undefined || found.silent !== undefined;
  const loss = isHeld ? undefined : await readLoss(config.stateDir);
  if (loss !== undefined) return { loss, undelivered: {} };
  const stored = await readState(config, async (read) => ({
    counts: await read.counts(),
    undelivered: await countUndelivered(read),
  }));
  return { ...found, ...(stored ?? { undelivered: {} }) };
}

async function findReport(stateDir: string): Promise<Pick<StateStatus, "gateway" | "silent">> {
  const found = await orSilent(findGatewayStatus(stateDir));
  if (found === undefined) return {};
  return found instanceof SilentGateway ? { silent: found } : { gateway: found };
}

async function readLoss(stateDir: string): Promise<string | undefined> {
  const { findStoreLoss } = await import("@banyan/store-sqlite");
  try {
    return findStoreLoss(stateDir);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new BanyanError("state_dir_unusable", error.message, { cause: error });
  }
}
