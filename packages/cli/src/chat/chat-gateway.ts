import { setTimeout as sleep } from "node:timers/promises";
import { BanyanError, callGatewayInfo, callGatewayStatus } from "@banyan/core";
import { StoreError } from "@banyan/store";
import { loadConfigHere } from "../gateway/load-gateway-config.ts";
import { reportCrashes } from "../report-crashes.ts";
import { findGateway, SilentGateway } from "../state/find-gateway.ts";
import type { ChatDoor } from "./chat-client.ts";
import { untilThere } from "./until-there.ts";

/** An answer reaches the web chat within a few milliseconds. */
const MAX_LOOKS = 10;
const LOOK_AGAIN_MS = 50;

/** The gateway that a chat talks to: a running one, or its own. */
export interface ChatGateway {
  readonly isOwn: boolean;
  /** Who answers in the web chat, according to the configuration. */
  readonly agentId: string;
  /** The present address: a restarted gateway may have another one. */
  findDoor(): Promise<ChatDoor>;
  /** Whether nothing runs or waits in it. */
  isIdle(): Promise<boolean>;
  /** Stops the gateway if this process opened it. */
  close(): Promise<void>;
}

/**
 * Finds the gateway that runs on the state directory, or opens one in this process, on any free port. Several chats
 * share such a gateway: when the chat that opened it ends, the next one that misses it opens it again, on the same store.
 * One of `banyan start` is never replaced, only waited for: it may be restarting.
 */
export async function openChatGateway(configFile: string | undefined): Promise<ChatGateway> {
  const { config } = await loadConfigHere(configFile);
  const shared = new SharedGateway(config.stateDir, configFile);
  try {
    await untilThere(() => shared.findDoor());
  } catch (error) {
    await shared.close();
    throw error;
  }
  return {
    isOwn: shared.isOwn,
    agentId: config.routes.find(({ match }) => match.channel === "webchat")?.agent ?? config.defaultAgent,
    findDoor: () => shared.findDoor(),
    async isIdle() {
      await shared.findDoor();
      const { running, counts } = await callGatewayStatus(config.stateDir);
      if (running + counts.activeLanes + counts.waitingItems > 0) return false;
      await untilDelivered(config.stateDir);
      return true;
    },
    close: () => shared.close(),
  };
}

/** An answer may still be on its way to the chat. Undeliverable messages of other channels are not waited for. */
async function untilDelivered(stateDir: string): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    if ((await callGatewayStatus(stateDir)).counts.unsettledDeliveries === 0) return;
    await sleep(LOOK_AGAIN_MS);
  }
}

class SharedGateway {
  readonly #stateDir: string;
  readonly #configFile: string | undefined;
  #opening: Promise<void> | undefined;
  #stop: (() => Promise<void>) | undefined;
  #mayOpen = true;

  constructor(stateDir: string, configFile: string | undefined) {
    this.#stateDir = stateDir;
    this.#configFile = configFile;
  }

  get isOwn(): boolean {
    return this.#stop !== undefined;
  }

  /** Throws a `SilentGateway` while another chat opens or closes the gateway. */
  async findDoor(): Promise<ChatDoor> {
    const running = await findGateway(this.#stateDir);
    if (running !== undefined) {
      if (!running.isTemporary) this.#mayOpen = false;
      return running;
    }
    if (this.#mayOpen && this.#stop === undefined) {
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined;
      });
      await this.#opening;
    }
    return callGatewayInfo(this.#stateDir);
  }

  async close(): Promise<void> {
    this.#mayOpen = false;
    await Promise.allSettled([this.#opening]);
    await this.#stop?.();
  }

  async #open(): Promise<void> {
    try {
      this.#stop = await startOwn(this.#configFile);
    } catch (error) {
      const lock = findLock(error);
      throw lock === undefined ? error : new SilentGateway(this.#stateDir, lock.holderPid, error);
    }
  }
}

async function startOwn(configFile: string | undefined): Promise<() => Promise<void>> {
  const { openGateway } = await import("../gateway/open-gateway.ts");
  const { gateway } = await openGateway({
    configFile,
    cwd: process.cwd(),
    // Any free port: another gateway may use the configured one, and no one else has to find this one.
    env: { ...process.env, BANYAN_PORT: "0", BANYAN_LOG_LEVEL: process.env.BANYAN_LOG_LEVEL ?? "warn" },
    isTerminal: process.stderr.isTTY,
    onLoaded: reportCrashes,
    isTemporary: true,
  });
  return () => gateway.stop();
}

/** Another process was faster. */
function findLock(error: unknown): StoreError | undefined {
  if (!(error instanceof BanyanError && error.cause instanceof StoreError)) return undefined;
  return error.cause.code === "locked" ? error.cause : undefined;
}
