import type { MigrateChatStep, SessionMove, StepResults } from "@banyan/store";
import type { ChatMover } from "./chat-move.ts";
import type { SessionMover } from "./session-move.ts";
import type { Tables } from "./tables.ts";

interface DecidedMove {
  readonly move: SessionMove;
  /** A session stands under the new key: only what waits goes there. */
  readonly isTaken: boolean;
}

export function runMigrateChat(
  tables: Tables,
  movers: { readonly sessions: SessionMover; readonly chats: ChatMover },
  step: MigrateChatStep,
  nowMs: number,
): StepResults["migrate_chat"] {
  const moves = decideMoves(tables, step.sessions);
  if (moves === "conflict") return { status: "refused", reason: "conflict" };
  const sessions = moves.filter(({ isTaken }) => !isTaken).length;
  const children = sessions > 0 ? (step.children ?? []) : [];
  if (!tables.sessions.canWriteAll(children)) return { status: "refused", reason: "conflict" };
  const items = new Set<number>();
  for (const { move, isTaken } of moves) {
    const moved = isTaken ? moveInto(tables, movers.sessions, move, nowMs) : movers.sessions.moveSession(move, nowMs);
    for (const seq of moved) items.add(seq);
  }
  tables.sessions.writeAll(children, nowMs);
  for (const seq of movers.chats.moveItems(step.addresses)) items.add(seq);
  const hasMovedOthers = movers.chats.moveOthers(step.addresses);
  const deliveries = movers.chats.moveDeliveries(step.addresses);
  const isNew = movers.chats.record(step.move);
  if (!isNew && !hasMovedOthers && sessions + items.size + deliveries === 0) return { status: "already" };
  tables.audit.write(step.audit, nowMs);
  return { status: "done", sessions, items: items.size, deliveries };
}

/** The session under the new key takes what waits, so it is not put away. */
function moveInto(tables: Tables, mover: SessionMover, { from, to }: SessionMove, nowMs: number): readonly number[] {
  const items = mover.moveLane(from, to);
  if (items.length > 0 && !tables.sessions.isListed(to)) tables.sessions.reopen(to, nowMs);
  return items;
}

/** Each move as those before it would leave the keys. A session that is gone from its old key has moved already. */
function decideMoves(tables: Tables, moves: readonly SessionMove[]): readonly DecidedMove[] | "conflict" {
  const revisions = new Map<string, number>();
  const revisionOf = (key: string) => revisions.get(key) ?? tables.sessions.findRevision(key) ?? 0;
  const decided: DecidedMove[] = [];
  for (const move of moves) {
    const revision = revisionOf(move.from);
    if (revision === 0 || move.from === move.to) continue;
    const isTaken = revisionOf(move.to) !== 0;
    decided.push({ move, isTaken });
    if (isTaken) continue;
    if (revision !== move.expectRevision) return "conflict";
    revisions.set(move.from, 0);
    revisions.set(move.to, revision + 1);
  }
  return decided;
}
