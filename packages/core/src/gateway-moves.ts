import { type MigrateChatParts, migrateChat } from "./inbound/moved-chat.ts";
import type { Inbound } from "./inbound/receive.ts";
import type { LaneScheduler } from "./lanes/lane-scheduler.ts";
import type { SessionCache } from "./sessions/session-cache.ts";
import type { Turns } from "./turns/turns.ts";

export interface GatewayMoveParts extends Omit<MigrateChatParts, "moveLanes"> {
  readonly sessions: SessionCache;
  readonly turns: Pick<Turns, "stop">;
  readonly lanes: Pick<LaneScheduler, "wake">;
  readonly inbound: Pick<Inbound, "resume">;
}

export type LaneMove = { readonly from: string; readonly to: string };

export interface GatewayMoves {
  /** Lanes have other keys in the store. Their turns are fenced off there; here they stop, and begin anew. */
  moveLanes(moves: readonly LaneMove[]): Promise<void>;
  migrateChat(move: Parameters<typeof migrateChat>[0]): Promise<void>;
}

export function createMoves(parts: GatewayMoveParts): GatewayMoves {
  const { sessions, inbound } = parts;
  const moveLanes = async (moves: readonly LaneMove[]) => {
    if (moves.length === 0) return;
    for (const { from, to } of moves) {
      sessions.forget(from);
      sessions.forget(to);
    }
    // A runtime may take its time to stop, and whoever told of the move waits for its end.
    for (const move of moves) void restart(move, parts);
    await inbound.resume();
  };
  return { moveLanes, migrateChat: (move) => migrateChat(move, { ...parts, moveLanes }) };
}

async function restart({ from, to }: LaneMove, { turns, lanes, ports }: GatewayMoveParts): Promise<void> {
  try {
    await turns.stop(from, false);
  } catch (error) {
    ports.log.warn({ err: error, lane: from }, "a turn of a moved session did not stop in order");
  }
  lanes.wake(to);
}
