import { setTimeout as sleep } from "node:timers/promises";
import { BanyanError, callGatewayInfo, callGatewayStatus } from "@banyan/core";
import { StoreError } from "@banyan/plugin-sdk/store";
import { loadConfigHere } from "../gateway/load-gateway-config.ts";
import { reportCrashes } from "../report-crashes.ts";
import { findGateway } from "../state/find-gateway.ts";
import type { ChatDoor } from "./chat-client.ts";

/** A gateway that has the lock and does not answer yet is starting. */
const STARTING_MS = 15_000;
const LOOK_AGAIN_MS = 200;

/** The gateway that a chat talks to: one that runs, or its own. */
export interface ChatGateway {
  readonly isOwn: boolean;
  /** Who answers in the web chat, by the configuration. */
  readonly agentId: string;
  /** Where it is now: a gateway that was restarted may be elsewhere. */
  findDoor(): Promise<ChatDoor>;
  /** Whether nothing runs or waits in it. */
  isIdle(): Promise<boolean>;
  /** Stops it if it is our own. */
  close(): Promise<void>;
}

/** Finds the gateway that runs on the state directory, else starts one in this process, on any free port. */
export async function openChatGateway(configFile: string | undefined): Promise<ChatGateway> {
  const { config } = await loadConfigHere(configFile);
  const { stateDir } = config;
  const base = {
    agentId: config.routes.find(({ match }) => match.channel === "webchat")?.agent ?? config.defaultAgent,
    findDoor: () => callGatewayInfo(stateDir),
    async isIdle() {
      const { running, counts } = await callGatewayStatus(stateDir);
      return running + counts.activeLanes + counts.waitingItems === 0;
    },
  };
  if ((await findGateway(stateDir)) !== undefined) return { ...base, isOwn: false, close: async () => undefined };
  try {
    const stop = await startOwn(configFile);
    return { ...base, isOwn: true, close: stop };
  } catch (error) {
    if (!isLocked(error) || !(await answersSoon(stateDir))) throw error;
    return { ...base, isOwn: false, close: async () => undefined };
  }
}

async function startOwn(configFile: string | undefined): Promise<() => Promise<void>> {
  const { openGateway } = await import("../gateway/open-gateway.ts");
  const { gateway } = await openGateway({
    configFile,
    cwd: process.cwd(),
    // Any free port: the configured one may be another gateway's, and nobody else has to find this one.
    env: { ...process.env, BANYAN_PORT: "0", BANYAN_LOG_LEVEL: process.env.BANYAN_LOG_LEVEL ?? "warn" },
    isTerminal: process.stderr.isTTY,
    onLoaded: reportCrashes,
  });
  return () => gateway.stop();
}

/** Somebody else has the state directory: a gateway that is just starting, most likely. */
function isLocked(error: unknown): boolean {
  return error instanceof BanyanError && error.cause instanceof StoreError && error.cause.code === "locked";
}

async function answersSoon(stateDir: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < STARTING_MS; waitedMs += LOOK_AGAIN_MS) {
    if ((await findGateway(stateDir)) !== undefined) return true;
    await sleep(LOOK_AGAIN_MS);
  }
  return false;
}
