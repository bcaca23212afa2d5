import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CHANNEL_API_VERSION,
  type ChannelConnection,
  type ChannelContext,
  type ChannelPlugin,
} from "@banyan/plugin-sdk";
import type { Store, StoreError } from "@banyan/store";
import { onTestFinished } from "vitest";
import { Gateway } from "../src/gateway.ts";
import type { GatewayAccount } from "../src/gateway-options.ts";
import { parseIdentityLinks } from "../src/sessions/keys/identity-links.ts";
import { openTestStore } from "./open-test-store.ts";
import { createTestPorts, type TestPorts } from "./ports/test-ports.ts";

/** A step of the start that a test holds up. */
export type Gate = "recover" | "waitingCommands" | "readyLanes";

/** A whole gateway over a store in memory, with two accounts of a channel that a test plays. */
export class GatewayDesk {
  readonly ports: TestPorts = createTestPorts();
  readonly stateDir: string = mkdtempSync(join(tmpdir(), "banyan-gateway-"));
  readonly gateway: Gateway;
  /** What was told to the taps and done to the store, in order. */
  readonly told: string[] = [];
  readonly contexts: ChannelContext<unknown>[] = [];
  /** Lets the store fail. */
  failStore: (error: StoreError) => void = () => undefined;
  connect: () => Promise<ChannelConnection> = async () => ({
    send: async () => ({ platformId: "p" }),
    close: async () => undefined,
  });

  constructor(gate?: { readonly at: Gate; readonly opened: Promise<void> }) {
    this.gateway = new Gateway({
      store: this.#buildStore(gate),
      ports: this.ports,
      agents: {},
      routes: {
        routes: [],
        defaultAgent: "main",
        scope: "per-sender",
        dmScope: "per-channel-peer",
      },
      identityLinks: parseIdentityLinks({}),
      channels: [{ plugin: this.#buildPlugin(), accounts: ["one", "two"].map(buildAccount) }],
      runtimes: {},
      server: { host: "127.0.0.1", port: 0, token: "a-token-of-the-gateway-test" },
      stateDir: this.stateDir,
      version: "0",
    });
    this.gateway.hooks.gateway_start.tap("test", () => void this.told.push("gateway_start"));
    this.gateway.hooks.gateway_stop.tap("test", () => void this.told.push("gateway_stop"));
    onTestFinished(async () => {
      await this.gateway.stop();
      rmSync(this.stateDir, { recursive: true, force: true });
    });
  }

  #buildStore(gate: { readonly at: Gate; readonly opened: Promise<void> } | undefined): Store {
    const memory = openTestStore({ clock: this.ports.clock });
    const pass = async (at: Gate) => {
      if (gate?.at !== at) return;
      this.told.push(at);
      await gate.opened;
    };
    return {
      ...memory,
      async commit(step) {
        if (step.step === "recover") await pass("recover");
        return memory.commit(step);
      },
      read: {
        ...memory.read,
        waitingCommands: (query) => pass("waitingCommands").then(() => memory.read.waitingCommands(query)),
        readyLanes: (query) => pass("readyLanes").then(() => memory.read.readyLanes(query)),
      },
      onFailure: (listener) => {
        this.failStore = listener;
      },
      close: async () => {
        this.told.push("closed");
        await memory.close();
      },
    };
  }

  #buildPlugin(): ChannelPlugin {
    return {
      id: "irc",
      apiVersion: CHANNEL_API_VERSION,
      capabilities: {
        kinds: ["dm"],
        text: { limit: 400, measure: (text) => text.length },
        threads: false,
        edits: false,
        delivery: "at-least-once",
      },
      config: { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } },
      connect: (context) => {
        this.contexts.push(context);
        return this.connect();
      },
    };
  }
}

function buildAccount(name: string): GatewayAccount {
  const allowFrom = new Set<string>();
  return {
    name,
    config: {},
    access: {
      dmPolicy: "open",
      allowFrom,
      groups: { policy: "disabled", allow: allowFrom, guilds: new Set(), requireMention: true },
      catchUpMs: 0,
      isOperatorOnly: false,
    },
  };
}
