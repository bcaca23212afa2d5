import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callGatewayInfo, callGatewayStatus } from "@banyan/core";
import { createScriptedRuntime, type Script } from "@banyan/runtime-demo";
import { onTestFinished } from "vitest";
import { postMessage } from "../../src/chat/chat-client.ts";
import type { ChatGateway } from "../../src/chat/chat-gateway.ts";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { makeFolder, stateDirOf } from "../bin/banyan-process.ts";

/** A gateway whose agent plays a script, and a door to it as `banyan chat` has one. */
export interface ChatStage {
  readonly gateway: ChatGateway;
  /** The same person says something in the browser. */
  saysElsewhere(text: string): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** What it stores ends with the gateway, unless a test starts it again. */
export async function openChatStage(script: Script, driver: "memory" | "sqlite" = "memory"): Promise<ChatStage> {
  const folder = makeFolder();
  const stateDir = stateDirOf(folder);
  const config = {
    server: { port: 0 },
    log: { level: "silent" },
    store: { driver },
    agents: { main: { runtime: "scripted" } },
  };
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
  const runtime = createScriptedRuntime(script);
  const open = () =>
    openGateway({ cwd: folder, env: { BANYAN_STATE_DIR: stateDir }, runtimes: { scripted: async () => runtime } });
  let running = await open();
  const stop = () => running.gateway.stop();
  onTestFinished(stop);
  const findDoor = () => callGatewayInfo(stateDir);
  return {
    gateway: {
      isOwn: false,
      agentId: "main",
      findDoor,
      isIdle: async () => (await callGatewayStatus(stateDir)).counts.activeLanes === 0,
      close: async () => undefined,
    },
    async saysElsewhere(text) {
      await postMessage(await findDoor(), { id: randomUUID(), text }, new AbortController().signal);
    },
    stop,
    async start() {
      running = await open();
    },
  };
}
