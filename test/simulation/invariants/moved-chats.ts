import { moveAddress } from "@banyan/store";
import type { Grounds, Invariant } from "./invariant.ts";

/**
 * Moves: once a chat's move is stored nothing of it is left under the old id, and nobody starts to send there what was
 * decided before. What is decided later, since another account has not heard of it, follows the same way.
 */
export function createMovedChats(): Invariant {
  return {
    name: "moves",
    observe(seen, grounds) {
      if (seen.type === "quiet") return findLeft(grounds, [...grounds.data.lanes.keys()]);
      if (seen.type !== "step" || seen.step.step !== "migrate_chat" || seen.result.status !== "done") return undefined;
      const { addresses, sessions } = seen.step;
      for (const { row } of grounds.data.deliveries.values()) {
        const isSent = row.state === "sent" || row.state === "sent_maybe_repeated";
        if (!isSent && moveAddress(row.address, addresses) !== row.address)
          return `${row.id} is ${row.state} in ${row.address}, which has moved`;
      }
      return findLeft(
        grounds,
        sessions.map(({ from }) => from),
      );
    },
  };
}

function findLeft({ data }: Grounds, lanes: readonly string[]): string | undefined {
  for (const lane of lanes) {
    const queue = data.lanes.get(lane)?.queue ?? [];
    if (queue.length > 0) return `${queue.length} messages are left in ${lane}`;
  }
  return undefined;
}
