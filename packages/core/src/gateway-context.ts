import type {
  Address,
  ChannelCommand,
  ChannelContext,
  ChannelPlugin,
  DeliveredRequest,
  HistoryMessage,
  HistoryRequest,
  Log,
} from "@banyan/plugin-sdk";
import type { DeliveryBody, HistoryRow, Store, StoreReads } from "@banyan/store";
import type { ThreadRules } from "./config/shapes/thread-rules.ts";
import type { GatewayAccount } from "./gateway-options.ts";
import { type CallableHooks, createHookView } from "./hooks/lifecycle-hooks.ts";
import type { Server } from "./http/server.ts";
import type { Transport } from "./http/transport.ts";
import { needsAllMessages, refuseForeignAddress } from "./inbound/access.ts";
import { findCommandSession } from "./inbound/decide.ts";
import type { Inbound } from "./inbound/receive.ts";
import type { RouteTable } from "./inbound/route.ts";
import type { RouteState } from "./inbound/route-state.ts";
import { parseItemBody } from "./lanes/item-body.ts";
import { formatAccountName } from "./plugins/account-status.ts";
import type { Ports } from "./ports/ports.ts";
import { suggestTargets } from "./subagents/commands/suggest-targets.ts";
import type { ThreadNotice } from "./subagents/free-gone-thread.ts";

const DEFAULT_HISTORY_MESSAGES = 200;
const MAX_HISTORY_MESSAGES = 1_000;
/** A page of any platform's history is smaller. */
const MAX_RECEIPT_IDS = 1_000;

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
    log: nameAccount(ports.log, formatAccountName(plugin.id, account.name)),
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
      refuseForeignAddress(place, address, "Reporting a lost thread");
      await parts.freeThread(address, notice === undefined ? undefined : { text: notice, by: "plugin", to });
    },
    findDelivered: async (request) => {
      refuseForeignAddress(place, request.address, "Searching receipts");
      return findDelivered(store.read, request);
    },
    suggestTargets: async (request) => {
      refuseForeignAddress(place, request.address, "Searching targets");
      const now = ports.clock.now();
      const { routes: table, routeState } = parts;
      const sessionKey = findCommandSession(request, { access: account.access, table, view: routeState.view, now });
      return sessionKey === undefined ? [] : suggestTargets({ sessionKey, typed: request.typed, now }, store.read);
    },
    history: async (request) => {
      refuseForeignAddress(place, request.address, "Reading a history");
      return readHistory(store, request);
    },
  };
}

/** Adds the account to each log line of its plugin. */
function nameAccount(log: Log, account: string): Log {
  const write = (level: keyof Log) => (fields: object, message: string) => log[level]({ account, ...fields }, message);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Reads what was received and delivered at an address, for channels that keep no history of their own. */
async function readHistory(store: Store, request: HistoryRequest): Promise<readonly HistoryMessage[]> {
  const { address, after, limit = DEFAULT_HISTORY_MESSAGES } = request;
  const rows = await store.read.history({
    address,
    limit: Math.min(Math.max(1, limit), MAX_HISTORY_MESSAGES),
    ...(after === undefined ? {} : { afterId: after }),
  });
  if (rows === undefined)
    throw new RangeError(`Reading the history of ${address}: no message there has the id ${JSON.stringify(after)}`);
  return rows.flatMap((row) => parseHistoryRow(row) ?? []);
}

function parseHistoryRow(row: HistoryRow): HistoryMessage | undefined {
  if (row.source === "item") {
    const { text, isFollowUp } = parseItemBody(row.body);
    return isFollowUp ? undefined : { id: row.id, role: "user", kind: "message", text, at: row.atMs };
  }
  const body: DeliveryBody = JSON.parse(row.body);
  const kind =
    row.kind === "reply" || row.kind === "notice" || row.kind === "command" || row.kind === "completion"
      ? row.kind
      : "notice";
  return { id: row.id, role: "assistant", kind, text: body.text, at: row.atMs };
}

/** Finds which of a platform's ids belong to deliveries at an address. Throws a `RangeError` for more ids than a page has. */
export async function findDelivered(
  { receipts }: Pick<StoreReads, "receipts">,
  { address, platformIds }: DeliveredRequest,
): Promise<ReadonlySet<string>> {
  if (platformIds.length > MAX_RECEIPT_IDS)
    throw new RangeError(
      `Receipts were requested: at most ${MAX_RECEIPT_IDS} ids at a time, received ${platformIds.length}; ask page by page`,
    );
  return new Set(await receipts({ address, platformIds }));
}
