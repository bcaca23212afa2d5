import {
  CHANNEL_API_VERSION,
  type ChannelConnection,
  type ChannelContext,
  ChannelError,
  type ChannelErrorClass,
  type ChannelErrorOptions,
  type ChannelPlugin,
} from "@banyan/plugin-sdk";
import { createHookView, createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import { AccountHost } from "../../src/plugins/account-host.ts";
import { createTestPorts, type TestPorts } from "../ports/test-ports.ts";

type Context = ChannelContext<unknown>;

export function fails(errorClass: ChannelErrorClass, options: ChannelErrorOptions = {}): ChannelError {
  return new ChannelError(errorClass, `The account was connected: ${errorClass}; wait`, options);
}

/** One account with a plugin that a test plays. */
export class HostDesk {
  readonly ports: TestPorts = createTestPorts();
  /** The contexts of the connects so far. */
  readonly contexts: Context[] = [];
  /** What the host told the gateway, in order. */
  readonly told: ("connected" | "disconnected")[] = [];
  readonly closed: string[] = [];
  readonly host: AccountHost;
  /** What the plugin's connect does; counted from 1. */
  connect: (context: Context, attempt: number) => Promise<ChannelConnection>;
  buildFailure: Error | undefined;

  constructor(capabilities: Partial<ChannelPlugin["capabilities"]> = {}) {
    this.connect = async (_context, attempt) => this.connection(`${attempt}`);
    const { ports } = this;
    this.host = new AccountHost({
      plugin: buildPlugin(capabilities, (context) => {
        this.contexts.push(context);
        return this.connect(context, this.contexts.length);
      }),
      account: "work",
      ports,
      buildContext: async (own) => {
        if (this.buildFailure !== undefined) throw this.buildFailure;
        return buildContext(own, ports);
      },
      onConnected: () => void this.told.push("connected"),
      onDisconnected: () => void this.told.push("disconnected"),
    });
  }

  connection(name: string, abilities: Partial<ChannelConnection> = {}): ChannelConnection {
    return {
      send: async () => ({ platformId: name }),
      close: async () => void this.closed.push(name),
      ...abilities,
    };
  }
}

function buildPlugin(
  capabilities: Partial<ChannelPlugin["capabilities"]>,
  connect: (context: Context) => Promise<ChannelConnection>,
): ChannelPlugin {
  return {
    id: "irc",
    apiVersion: CHANNEL_API_VERSION,
    capabilities: {
      kinds: ["dm"],
      text: { limit: 400, measure: (text) => text.length },
      threads: false,
      edits: false,
      delivery: "at-least-once",
      ...capabilities,
    },
    config: { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } },
    connect,
  };
}

function buildContext(own: Pick<Context, "signal" | "report">, ports: TestPorts): Context {
  return {
    ...own,
    config: {},
    account: "work",
    cursor: undefined,
    hooks: createHookView(createLifecycleHooks(ports), "irc/work").hooks,
    log: ports.log,
    clock: ports.clock,
    fetch: async () => Promise.reject(new Error("no network")),
    http: { mount: () => () => undefined },
    receive: async () => [],
    commands: [],
    needsAllMessages: false,
    threadFallback: "reply",
    migrateChat: async () => undefined,
    threadGone: async () => undefined,
    findDelivered: async () => new Set(),
    suggestTargets: async () => [],
    history: async () => [],
  };
}
