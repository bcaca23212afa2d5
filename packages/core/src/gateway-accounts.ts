import {
  type Address,
  type ChannelCommand,
  type ChannelConnection,
  type ChannelContext,
  type ChannelPlugin,
  parseAddress,
  type ReceiveOptions,
  type ThreadsAbility,
} from "@banyan/plugin-sdk";
import type { Store } from "@banyan/plugin-sdk/store";
import { needsAllMessages } from "./access/decide-access.ts";
import { tapForAccount } from "./gateway-host-taps.ts";
import type { GatewayAccount, GatewayChannel } from "./gateway-options.ts";
import { type CallableHooks, createHookView } from "./hooks/lifecycle-hooks.ts";
import type { Server } from "./http/server.ts";
import type { Transport } from "./http/transport.ts";
import type { Inbound } from "./inbound/inbound.ts";
import { readHistory } from "./inbound/read-history.ts";
import type { Outbox } from "./outbound/outbox.ts";
import { AccountHost } from "./plugins/account-host.ts";
import { type AccountStatus, formatAccountName } from "./plugins/account-status.ts";
import { createDeadlines } from "./ports/deadlines.ts";
import type { Ports } from "./ports/ports.ts";
import { buildTurnChannel } from "./turns/turn-channel.ts";
import type { TurnChannel } from "./turns/turn-parts.ts";

/** A plugin that hangs while sending is given up after this; what became of the message is then unclear. */
const SEND_TIMEOUT_MS = 120_000;

export interface GatewayAccountsParts {
  readonly channels: readonly GatewayChannel[];
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  readonly hooks: CallableHooks;
  readonly outbox: Outbox;
  readonly transport: Transport;
  readonly commands: readonly ChannelCommand[];
  readonly migrateChat: (place: AccountPlace, move: ChatMove) => Promise<void>;
  /** The platform says that a thread is gone. */
  readonly onThreadGone: (address: string) => void;
  readonly signal: AbortSignal;
}

interface AccountPlace {
  readonly channel: string;
  readonly account: string;
}

type ChatMove = Parameters<ChannelContext<unknown>["migrateChat"]>[0];

/** Every account of every channel: its host, its outbox, and what turns ask of it. */
export class GatewayAccounts {
  readonly #parts: GatewayAccountsParts;
  readonly #hosts = new Map<string, AccountHost>();
  readonly #opened = Promise.withResolvers<void>();

  constructor(parts: GatewayAccountsParts) {
    this.#parts = parts;
  }

  /** Begins to connect every account. */
  open(inbound: Inbound, server: Server): void {
    for (const { plugin, accounts } of this.#parts.channels) {
      for (const account of accounts) this.#openAccount(plugin, account, inbound, server);
    }
    this.#opened.resolve();
  }

  /** Resolves when the address' account runs or its first try has failed; one that is not there was never tried. */
  async whenTried(address: Address): Promise<void> {
    const { channel, account } = parseAddress(address);
    await this.#opened.promise;
    await this.#hosts.get(formatAccountName(channel, account))?.settled;
  }

  /** Resolves when each account, or each of the operator's own channels, runs or its first try has failed. */
  async settled(which: "all" | "operator"): Promise<void> {
    const channels = this.#parts.channels.filter(
      ({ plugin }) => which === "all" || plugin.capabilities.isOperatorOnly === true,
    );
    const names = channels.flatMap(({ plugin, accounts }) =>
      accounts.map(({ name }) => formatAccountName(plugin.id, name)),
    );
    await Promise.all(names.map((name) => this.#hosts.get(name)?.settled));
  }

  statuses(): Readonly<Record<string, AccountStatus>> {
    return Object.fromEntries([...this.#hosts].map(([name, host]) => [name, host.status]));
  }

  /** How an answer to the address is split, promised and shown. An account that is gone leaves its rows in the store. */
  getChannel(address: Address): TurnChannel {
    const { channel, account } = parseAddress(address);
    const plugin = this.#parts.channels.find((known) => known.plugin.id === channel)?.plugin;
    return buildTurnChannel(plugin, this.#hosts.get(formatAccountName(channel, account))?.connection);
  }

  /** What opens and closes threads there; `undefined` while the account is not connected, or has none. */
  findThreads(address: Address): ThreadsAbility | undefined {
    const { channel, account } = parseAddress(address);
    return this.#hosts.get(formatAccountName(channel, account))?.connection?.threads;
  }

  /** Accounts that are not connected stay so: what is sent from now on goes out with the next start. */
  giveUpConnecting(): void {
    for (const host of this.#hosts.values()) host.giveUpConnecting();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.close()));
  }

  #openAccount(plugin: ChannelPlugin, account: GatewayAccount, inbound: Inbound, server: Server): void {
    const { store, ports, owner, hooks, outbox, signal } = this.#parts;
    const name = formatAccountName(plugin.id, account.name);
    const deadlines = createDeadlines(ports.clock, SEND_TIMEOUT_MS);
    const queue = outbox.open({
      channel: plugin.id,
      account: account.name,
      owner,
      store,
      ports,
      deadlines,
      announce: (announcement) => hooks.announce.call(announcement),
      signal,
      onUnauthorized: (error) => host.fail(error),
      onThreadGone: this.#parts.onThreadGone,
      onMigrated: (move) => this.#migrateChat({ channel: plugin.id, account: account.name }, move),
    });
    let untap: (() => void) | undefined;
    const host: AccountHost = new AccountHost({
      plugin,
      account: account.name,
      ports,
      buildContext: (own) => this.#buildContext(plugin, account, inbound, server, own),
      onConnected: (connection: ChannelConnection) => {
        untap = tapForAccount(hooks, { plugin, account, connection, ports, sendTimeoutMs: SEND_TIMEOUT_MS });
        queue.connect((message) => connection.send(message), connection.pace);
      },
      onDisconnected: () => {
        queue.disconnect();
        untap?.();
      },
    });
    this.#hosts.set(name, host);
    void host.start();
  }

  async #migrateChat(place: AccountPlace, move: ChatMove): Promise<void> {
    for (const address of [move.from, move.to]) refuseForeign(place, address, "A chat was moved");
    await this.#parts.migrateChat(place, move);
  }

  async #buildContext(
    plugin: ChannelPlugin,
    account: GatewayAccount,
    inbound: Inbound,
    server: Server,
    own: Parameters<ConstructorParameters<typeof AccountHost>[0]["buildContext"]>[0],
  ) {
    const { store, ports, hooks, transport, commands } = this.#parts;
    const place = { channel: plugin.id, account: account.name, access: account.access };
    const view = createHookView(hooks, formatAccountName(plugin.id, account.name));
    own.signal.addEventListener("abort", view.dispose, { once: true });
    return {
      ...own,
      config: account.config,
      account: account.name,
      needsAllMessages: needsAllMessages(account.access),
      cursor: await store.read.cursor(plugin.id, account.name),
      hooks: view.hooks,
      log: ports.log,
      clock: ports.clock,
      commands,
      fetch: transport.fetch,
      http: {
        mount: (
          path: string,
          serve: (request: Request) => Promise<Response>,
          options?: { access?: "operator" | "open" },
        ) => {
          const dispose = server.mount(path, serve, options?.access ?? "operator");
          own.signal.addEventListener("abort", dispose, { once: true });
          return dispose;
        },
      },
      receive: (messages: Parameters<Inbound["receive"]>[1], options?: ReceiveOptions) =>
        inbound.receive(place, messages, options?.cursor, options?.platformNow),
      migrateChat: (move: ChatMove) => this.#migrateChat(place, move),
      history: async (request: Parameters<typeof readHistory>[1]) => {
        refuseForeign(place, request.address, "A history was read");
        return readHistory(store, request);
      },
    };
  }
}

/** A plugin reads and moves what is its own account's: what another one keeps may be for other eyes. */
function refuseForeign({ channel, account }: AccountPlace, address: Address, what: string): void {
  const place = parseAddress(address);
  if (place.channel === channel && place.account === account) return;
  throw new Error(
    `${what} by ${channel}/${account}: its address names another account, received ${place.channel}/${place.account}; build addresses with the plugin's id and context.account`,
  );
}
