/**
 * What routing reads from the store: approved senders, linked accounts, moved chats and bound places. One view of all of
 * it is kept in memory and replaced after each change. A step that was decided on an older view is refused (`stale_route`).
 */
import type { BindingRow, RouteSnapshot, Store } from "@banyan/store";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import { type IdentityLinks, joinIdentityLinks } from "../sessions/keys/identity-links.ts";

/** A snapshot of the store at one revision, with lookups. */
export interface RouteView {
  readonly revision: number;
  readonly snapshot: RouteSnapshot;
  /** The configured and the stored links together. */
  readonly links: IdentityLinks;
  /** Whether the operator approved this sender's DMs. Takes a trimmed, exact id. */
  isApproved(channel: string, account: string, senderId: string): boolean;
  /** The ids that a chat has and had, the current one first. */
  listChatIds(channel: string, chat: string): readonly string[];
  /** Finds what binds exactly this address to a child session. */
  findBinding(address: string): BindingRow | undefined;
}

export interface RouteState {
  readonly view: RouteView;
  /**
   * Reads the store again, once for all callers that ask before that read begins. Resolves with a view that contains
   * everything committed before the call.
   */
  refresh(): Promise<RouteView>;
}

const EMPTY: RouteSnapshot = { revision: 0, approved: [], links: [], chatMoves: [], bindings: [] };

/**
 * Creates the state of an empty store: call `refresh` before the first message. `refresh` throws `invalid_identity_links`
 * where a stored link contradicts the configuration.
 */
export function createRouteState(store: Pick<Store, "read">, configured: IdentityLinks): RouteState {
  let view = buildRouteView(EMPTY, configured);
  let latest: Promise<RouteView> | undefined;
  /** The next read, which has not begun. One that runs already may have begun before the caller's commit. */
  let queued: Promise<RouteView> | undefined;
  const read = async () => {
    queued = undefined;
    view = buildRouteView(await store.read.routes(), configured);
    return view;
  };
  return {
    get view() {
      return view;
    },
    refresh() {
      if (queued !== undefined) return queued;
      queued = (latest?.catch(() => undefined) ?? Promise.resolve()).then(read);
      latest = queued;
      return queued;
    },
  };
}

export function buildRouteView(snapshot: RouteSnapshot, configured: IdentityLinks): RouteView {
  const { revision, approved, links, chatMoves, bindings } = snapshot;
  const bound = new Map(bindings.map((binding) => [binding.address, binding]));
  const senders = new Set(approved.map(({ channel, account, senderId }) => `${channel}/${account}/${senderId}`));
  const former = new Map<string, readonly string[]>();
  // A chat that moved twice keeps all its earlier ids: moves are listed in the order in which they were made.
  for (const { channel, fromChat, toChat } of chatMoves) {
    const known = former.get(`${channel}/${toChat}`) ?? [];
    former.set(`${channel}/${toChat}`, [...known, fromChat, ...(former.get(`${channel}/${fromChat}`) ?? [])]);
  }
  return {
    revision,
    snapshot,
    links: joinIdentityLinks(configured, links),
    isApproved: (channel, account, senderId) => senders.has(`${channel}/${account}/${senderId}`),
    listChatIds: (channel, chat) => [chat, ...(former.get(`${channel}/${chat}`) ?? [])],
    findBinding: (address) => bound.get(address),
  };
}

export interface DeadBindingParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly routeState: RouteState;
  readonly signal: AbortSignal;
}

/**
 * Removes the bindings of these addresses whose session is deleted or archived, so that messages there are routed
 * normally again. Called when the store does not know the session of a message. Resolves with whether the routes are
 * other ones than at `revision`: then the caller decides again.
 */
export async function removeDeadBindings(
  addresses: readonly string[],
  revision: number,
  { store, ports, routeState, signal }: DeadBindingParts,
): Promise<boolean> {
  const view = await routeState.refresh();
  let isChanged = view.revision !== revision;
  for (const address of new Set(addresses)) {
    const binding = view.findBinding(address);
    if (binding === undefined) continue;
    const session = await store.read.session(binding.sessionKey);
    if (session !== undefined && session.archivedAtMs === undefined) continue;
    // By its id: what has been bound there since stays.
    const unbind = { address, binding: null, bindingId: binding.id, timers: [], endTimers: [] };
    const { status } = await commitPatiently(store, { step: "bind", ...unbind }, ports, signal);
    isChanged = true;
    if (status !== "done") continue;
    ports.log.warn(
      { address, session: binding.sessionKey },
      "removed the binding of a place to a session that is gone",
    );
  }
  return isChanged;
}
