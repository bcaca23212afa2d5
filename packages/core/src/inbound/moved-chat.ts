/**
 * Moves a chat to another id, when the platform reports the new id or refuses a send to the old one:
 *   1 read    the chat's sessions of all agents, and the child sessions that name them
 *   2 store   sessions, waiting items and open deliveries in one step; repeated if a session changed concurrently
 *   3 follow  turns are stopped and run again under the new keys; outbox and routes are updated
 * After a crash between 2 and 3 the next start reads everything from the store. Moving a chat twice is harmless.
 */
import { type Address, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { MigrateChatStep, SessionMove, SessionWrite, Store } from "@banyan/store";
import type { Outbox } from "../outbound/outbox.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Ports } from "../ports/ports.ts";
import { listSessionRows } from "../sessions/list-session-rows.ts";
import { findMovedChild } from "../sessions/move-child.ts";
import { type ChatMove, findMovedKey, moveToChat } from "../sessions/move-session.ts";
import { parseSessionRow } from "../sessions/session-record.ts";
import type { RouteState } from "./route-state.ts";

const MAX_CONFLICTS = 5;

export interface MigrateChatParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  readonly routeState: Pick<RouteState, "refresh">;
  readonly outbox: Pick<Outbox, "moveChat">;
  /** Stops the turns of lanes whose keys have changed; they run again under the new keys. */
  moveLanes(moves: readonly { readonly from: string; readonly to: string }[]): Promise<void>;
}

/** Resolves when the move is stored and this process uses the new id. Rejects if nothing was stored. */
export async function migrateChat(
  given: { readonly from: Address; readonly to: Address },
  parts: MigrateChatParts,
): Promise<void> {
  const { ports, outbox, routeState, moveLanes } = parts;
  const addresses = [{ from: resolveChatOf(given.from), to: resolveChatOf(given.to) }] as const;
  const [address] = addresses;
  const move: ChatMove = { from: parseAddress(address.from), to: parseAddress(address.to), addresses };
  const { channel, account } = move.from;
  if (address.from === address.to) return;
  if (move.from.kind === "dm" || move.to.kind === "dm" || move.to.channel !== channel || move.to.account !== account)
    throw new Error(
      `Moving a chat: only groups and channels move, and only within their account, received ${given.from} to ${given.to}`,
    );
  const done = await storeMove(move, parts);
  // First what needs no read: if a read fails, the lanes must continue. Outdated routes are refused by the store.
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
  for (let tries = 1; tries <= MAX_CONFLICTS; tries += 1) {
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
    `The chat ${fromChat} of ${channel} was moved to ${toChat}: its sessions changed ${MAX_CONFLICTS} times at the same time; it is tried again`,
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
