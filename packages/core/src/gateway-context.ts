import {
  type Address,
  type ChannelCommand,
  type ChannelContext,
  type ChannelPlugin,
  parseAddress,
} from "@banyan/plugin-sdk";
import type { Store } from "@banyan/plugin-sdk/store";
import { needsAllMessages } from "./access/decide-access.ts";
import type { RouteState } from "./access/route-state.ts";
import type { ThreadRules } from "./config/shapes/thread-rules.ts";
import type { GatewayAccount } from "./gateway-options.ts";
import { type CallableHooks, createHookView } from "./hooks/lifecycle-hooks.ts";
import type { Server } from "./http/server.ts";
import type { Transport } from "./http/transport.ts";
import { findCommandSession } from "./inbound/find-command-session.ts";
import type { Inbound } from "./inbound/inbound.ts";
import { readHistory } from "./inbound/read-history.ts";
import type { RouteTable } from "./inbound/route-message.ts";
import { findDelivered } from "./outbound/find-delivered.ts";
import { formatAccountName } from "./plugins/account-status.ts";
import type { Ports } from "./ports/ports.ts";
import { suggestTargets } from "./subagents/commands/suggest-targets.ts";
import type { ThreadNotice } from "./subagents/free-gone-thread.ts";

export interface AccountPlace {
  readonly channel: string;
  readonly account: string;
}

type Context = ChannelContext<unknown>;

export type ChatMove = Parameters<Context["migrateChat"]>[0];

export interface ChannelContextParts {
  readonly plugin: Pick<ChannelPlugin, "id">;
  readonly account: GatewayAccount;
  readonly store: Store;
  readonly ports: Ports;
  readonly hooks: CallableHooks;
  readonly transport: Transport;
  readonly commands: readonly ChannelCommand[];
  readonly routes: RouteTable;
  readonly routeState: RouteState;
  readonly inbound: Inbound;
  readonly server: Pick<Server, "mount">;
  findThreadRules(place: AccountPlace): Pick<ThreadRules, "fallback">;
  migrateChat(move: ChatMove): Promise<void>;
  freeThread(address: Address, notice?: ThreadNotice): Promise<void>;
}

/** What a plugin is given for one attempt to connect. `own`: what its host decides. */
export async function buildChannelContext(
  own: Pick<Context, "signal" | "report">,
  parts: ChannelContextParts,
): Promise<Context> {
  const { plugin, account, store, ports, hooks, transport, commands, inbound, server } = parts;
  const place = { channel: plugin.id, account: account.name, access: account.access };
  const view = createHookView(hooks, formatAccountName(plugin.id, account.name));
  own.signal.addEventListener("abort", view.dispose, { once: true });
  return {
    ...own,
    config: account.config,
    account: account.name,
    needsAllMessages: needsAllMessages(account.access),
    threadFallback: parts.findThreadRules(place).fallback,
    cursor: await store.read.cursor(plugin.id, account.name),
    hooks: view.hooks,
    log: ports.log,
    clock: ports.clock,
    commands,
    fetch: transport.fetch,
    http: {
      mount: (path, serve, options) => {
        const dispose = server.mount(path, serve, options?.access ?? "operator");
        own.signal.addEventListener("abort", dispose, { once: true });
        return dispose;
      },
    },
    receive: (messages, options) => inbound.receive(place, messages, options?.cursor, options?.platformNow),
    migrateChat: parts.migrateChat,
    threadGone: async (address, notice, to = "chat") => {
      refuseForeignPlace(place, address, "A thread was told to be gone");
      await parts.freeThread(address, notice === undefined ? undefined : { text: notice, by: "plugin", to });
    },
    findDelivered: async (request) => {
      refuseForeignPlace(place, request.address, "Receipts were looked for");
      return findDelivered(store.read, request);
    },
    suggestTargets: async (request) => {
      refuseForeignPlace(place, request.address, "Targets were looked for");
      const now = ports.clock.now();
      const sessionKey = findCommandSession(request, { ...parts, access: account.access, now });
      return sessionKey === undefined ? [] : suggestTargets({ sessionKey, typed: request.typed, now }, store.read);
    },
    history: async (request) => {
      refuseForeignPlace(place, request.address, "A history was read");
      return readHistory(store, request);
    },
  };
}

/** A plugin reads and moves what is its own account's: what another one keeps may be for other eyes. */
export function refuseForeignPlace({ channel, account }: AccountPlace, address: Address, what: string): void {
  const place = parseAddress(address);
  if (place.channel === channel && place.account === account) return;
  throw new Error(
    `${what} by ${channel}/${account}: its address names another account, received ${place.channel}/${place.account}; build addresses with the plugin's id and context.account`,
  );
}
