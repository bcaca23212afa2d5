import {
  type Address,
  type ChannelCommand,
  type ChannelConnection,
  type ChannelPlugin,
  type FilesAbility,
  parseAddress,
  type ThreadsAbility,
} from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import type { ThreadRules } from "./config/shapes/thread-rules.ts";
import { type AccountPlace, buildChannelContext, type ChatMove } from "./gateway-context.ts";
import { tapForAccount } from "./gateway-host-taps.ts";
import type { GatewayAccount, GatewayChannel } from "./gateway-options.ts";
import type { CallableHooks } from "./hooks/lifecycle-hooks.ts";
import type { Server } from "./http/server.ts";
import type { Transport } from "./http/transport.ts";
import { decideAudience, refuseForeignAddress } from "./inbound/access.ts";
import type { Inbound } from "./inbound/receive.ts";
import type { RouteTable } from "./inbound/route.ts";
import type { RouteState } from "./inbound/route-state.ts";
import type { Outbox } from "./outbound/outbox.ts";
import type { OutgoingFiles } from "./outbound/outgoing-files.ts";
import { AccountHost } from "./plugins/account-host.ts";
import { type AccountStatus, formatAccountName } from "./plugins/account-status.ts";
import { createDeadlines } from "./ports/deadlines.ts";
import type { Ports } from "./ports/ports.ts";
import type { ThreadNotice } from "./subagents/free-gone-thread.ts";
import { buildTurnChannel } from "./turns/turn-channel.ts";
import type { TurnChannel } from "./turns/turn-parts.ts";

/** A plugin that hangs while sending is given up after this; what became of the message is then unclear. */
const SEND_TIMEOUT_MS = 120_000;

export interface GatewayAccountsParts {
  readonly channels: readonly GatewayChannel[];
  findThreadRules(place: AccountPlace): ThreadRules;
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  readonly hooks: CallableHooks;
  readonly outbox: Outbox;
  readonly transport: Transport;
  readonly files: OutgoingFiles | undefined;
  readonly commands: readonly ChannelCommand[];
  readonly routes: RouteTable;
  readonly routeState: RouteState;
  readonly migrateChat: (place: AccountPlace, move: ChatMove) => Promise<void>;
  /** The platform says that a thread is gone. */
  readonly onThreadGone: (address: string) => void;
  /** The plugin says so. */
  freeThread(address: Address, notice?: ThreadNotice): Promise<void>;
  readonly signal: AbortSignal;
}

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
    const { channel, account, kind } = parseAddress(address);
    const { plugin, accounts = [] } = this.#parts.channels.find((known) => known.plugin.id === channel) ?? {};
    const connection = this.#hosts.get(formatAccountName(channel, account))?.connection;
    const { delivery, access } = accounts.find(({ name }) => name === account) ?? {};
    return buildTurnChannel(plugin, {
      ...(connection === undefined ? {} : { connection }),
      ...(delivery === undefined ? {} : { delivery }),
      ...(access === undefined ? {} : { audience: decideAudience(access, kind) }),
    });
  }

  /** What opens and closes threads there: `none` where the channel has none; `undefined` while the account is not connected. */
  findThreads(address: Address): ThreadsAbility | "none" | undefined {
    const { channel, account } = parseAddress(address);
    const plugin = this.#parts.channels.find((known) => known.plugin.id === channel)?.plugin;
    if (plugin?.capabilities.threads === false) return "none";
    return this.#hosts.get(formatAccountName(channel, account))?.connection?.threads;
  }

  /** What fetches files there: `none` where the channel has none; `undefined` while the account is not connected. */
  findFiles(address: Address): FilesAbility | "none" | undefined {
    const { channel, account } = parseAddress(address);
    const connection = this.#hosts.get(formatAccountName(channel, account))?.connection;
    return connection === undefined ? undefined : (connection.files ?? "none");
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
      files: this.#parts.files,
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
      buildContext: (own) =>
        buildChannelContext(own, {
          ...this.#parts,
          plugin,
          account,
          inbound,
          server,
          migrateChat: (move) => this.#migrateChat({ channel: plugin.id, account: account.name }, move),
        }),
      onConnected: (connection: ChannelConnection) => {
        untap = tapForAccount(hooks, {
          plugin,
          account,
          connection,
          rules: this.#parts.findThreadRules({ channel: plugin.id, account: account.name }),
          ports,
          sendTimeoutMs: SEND_TIMEOUT_MS,
        });
        queue.connect(connection, connection.pace);
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
    for (const address of [move.from, move.to]) refuseForeignAddress(place, address, "Moving a chat");
    await this.#parts.migrateChat(place, move);
  }
}
