/**
 * A chat goes on under another id, told by the platform or by a refused send. The one way for both:
 *   1 read    the sessions of the chat, over all agents, and the children that name them
 *   2 store   sessions, what waits in them and what is on its way, in one step; again where a session changed meanwhile
 *   3 follow  turns stop and run again under the new key, the outbox and the picture of the chats are read anew
 * Killed between 2 and 3, the next start finds all of it in the store. Doing it again is harmless.
 */
import { type Address, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { MigrateChatStep, SessionMove, SessionWrite, Store } from "@banyan/store";
import type { RouteState } from "../access/route-state.ts";
import type { Outbox } from "../outbound/outbox.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Ports } from "../ports/ports.ts";
import { listSessionRows } from "../sessions/list-session-rows.ts";
import { findMovedChild } from "../sessions/move-child.ts";
import { type ChatMove, findMovedKey, moveToChat } from "../sessions/move-session.ts";
import { parseSessionRow } from "../sessions/session-record.ts";

const MOST_CONFLICTS = 5;

export interface MigrateChatParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  readonly routeState: Pick<RouteState, "refresh">;
  readonly outbox: Pick<Outbox, "moveChat">;
  /** Lanes go on under other keys: their turns stop, and run again there. */
  moveLanes(moves: readonly { readonly from: string; readonly to: string }[]): Promise<void>;
}

/** Resolves when the move is on record and everything here follows it. Rejects when nothing was written. */
export async function migrateChat(
  told: { readonly from: Address; readonly to: Address },
  parts: MigrateChatParts,
): Promise<void> {
  const { ports, outbox, routeState, moveLanes } = parts;
  const addresses = [{ from: resolveChatOf(told.from), to: resolveChatOf(told.to) }] as const;
  const [address] = addresses;
  const move: ChatMove = { from: parseAddress(address.from), to: parseAddress(address.to), addresses };
  const { channel, account } = move.from;
  if (address.from === address.to) return;
  if (move.from.kind === "dm" || move.to.kind === "dm" || move.to.channel !== channel || move.to.account !== account)
    throw new Error(
      `A chat was moved: only groups and channels move, and only within their account, received ${told.from} to ${told.to}`,
    );
  const done = await storeMove(move, parts);
  // What is at hand first: a read that fails now must not keep the lanes standing, and an old picture is found out.
  outbox.moveChat({ channel, account, ...address });
  await moveLanes(done.sessions);
  await routeState.refresh();
  if (!done.isNew) return;
  const [from, to] = [move.from.chat, move.to.chat];
  const { sessions, items, deliveries } = done.counts;
  ports.log.info(
    { channel, account, from, to, sessions, items, deliveries },
    `the group ${from} goes on as ${to}; name ${to} in groups.allow`,
  );
}

interface StoredMove {
  readonly sessions: readonly SessionMove[];
  readonly isNew: boolean;
  readonly counts: { readonly sessions: number; readonly items: number; readonly deliveries: number };
}

async function storeMove(move: ChatMove, { store, ports, signal }: MigrateChatParts): Promise<StoredMove> {
  const { channel } = move.from;
  const [fromChat, toChat] = [move.from.chat, move.to.chat];
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    const { sessions, children } = await listMoves(store, move);
    const step: MigrateChatStep = {
      step: "migrate_chat",
      move: { channel, fromChat, toChat },
      addresses: move.addresses,
      sessions,
      children,
      audit: { actor: `${channel}/${move.from.account}`, action: "migrate-chat", detail: `${fromChat} ${toChat}` },
    };
    ports.faultPoint("migrate.before");
    const committed = await commitPatiently(store, step, ports, signal);
    ports.faultPoint("migrate.after");
    if (committed.status === "done") return { sessions, isNew: true, counts: committed };
    if (committed.status === "already")
      return { sessions, isNew: false, counts: { sessions: 0, items: 0, deliveries: 0 } };
  }
  throw new BanyanError(
    "store_conflict",
    `The chat ${fromChat} of ${channel} was moved to ${toChat}: its sessions changed ${MOST_CONFLICTS} times at the same time; it is tried again`,
  );
}

async function listMoves(
  store: Store,
  move: ChatMove,
): Promise<{ readonly sessions: readonly SessionMove[]; readonly children: readonly SessionWrite[] }> {
  const sessions: SessionMove[] = [];
  const children: SessionWrite[] = [];
  for await (const row of listSessionRows(store.read)) {
    const key = findMovedKey(row.key, move);
    const child = findMovedChild(row, (parent) => findMovedKey(parent, move), move.addresses);
    if (key !== undefined) sessions.push(moveToChat(parseSessionRow(row), key, move));
    else if (child !== undefined) children.push(child);
  }
  return { sessions, children };
}
