import type { BindingRow, LinkRow, RouteSnapshot, Store } from "@banyan/store";
import { type IdentityLinks, joinIdentityLinks } from "../sessions/keys/identity-links.ts";

/**
 * What inbound decisions look at besides the message: who was let in, who is whom, which chat moved, which place belongs
 * to a child. One picture of the store, taken anew after each change of it; a step that was decided on an older one is refused as `stale_route`.
 */
export interface RoutePicture {
  readonly revision: number;
  /** As it was read. */
  readonly snapshot: RouteSnapshot;
  /** The configuration's and the stored ones together. */
  readonly links: IdentityLinks;
  /** The stored ones alone. */
  readonly stored: readonly LinkRow[];
  /** Whether the operator let this sender's DMs in. Takes a trimmed, exact id. */
  isApproved(channel: string, account: string, senderId: string): boolean;
  /** A chat's id and all it had before, the present one first. */
  listChatIds(channel: string, chat: string): readonly string[];
  /** What binds exactly this address to a child session. */
  findBinding(address: string): BindingRow | undefined;
}

export interface RouteState {
  readonly picture: RoutePicture;
  /** Reads the picture again, once for all who ask before that read begins. It shows what was committed before the call. */
  refresh(): Promise<RoutePicture>;
}

/** What a store holds that nobody has written to yet. */
const NOTHING: RouteSnapshot = { revision: 0, approved: [], links: [], chatMoves: [], bindings: [] };

/**
 * Begins as that of a new store; `refresh` it before the first message. That throws `invalid_identity_links` where a
 * stored link contradicts the configuration.
 */
export function createRouteState(store: Pick<Store, "read">, configured: IdentityLinks): RouteState {
  let picture = buildRoutePicture(NOTHING, configured);
  let latest: Promise<RoutePicture> | undefined;
  /** A read that has not begun: one under way may have missed what was committed since. */
  let queued: Promise<RoutePicture> | undefined;
  const readAnew = async () => {
    queued = undefined;
    picture = buildRoutePicture(await store.read.routes(), configured);
    return picture;
  };
  return {
    get picture() {
      return picture;
    },
    refresh() {
      if (queued !== undefined) return queued;
      queued = (latest?.catch(() => undefined) ?? Promise.resolve()).then(readAnew);
      latest = queued;
      return queued;
    },
  };
}

/** A store without people: nobody was let in, and only the configuration links. */
export function buildRoutePicture(snapshot: RouteSnapshot, configured: IdentityLinks): RoutePicture {
  const { revision, approved, links, chatMoves, bindings } = snapshot;
  const bound = new Map(bindings.map((binding) => [binding.address, binding]));
  const senders = new Set(approved.map(({ channel, account, senderId }) => `${channel}/${account}/${senderId}`));
  const former = new Map<string, readonly string[]>();
  // A chat that moved twice keeps all its earlier ids; moves stand in the order in which they were made.
  for (const { channel, fromChat, toChat } of chatMoves) {
    const known = former.get(`${channel}/${toChat}`) ?? [];
    former.set(`${channel}/${toChat}`, [...known, fromChat, ...(former.get(`${channel}/${fromChat}`) ?? [])]);
  }
  return {
    revision,
    snapshot,
    links: joinIdentityLinks(configured, links),
    stored: links,
    isApproved: (channel, account, senderId) => senders.has(`${channel}/${account}/${senderId}`),
    findBinding: (address) => bound.get(address),
    listChatIds: (channel, chat) => [chat, ...(former.get(`${channel}/${chat}`) ?? [])],
  };
}
