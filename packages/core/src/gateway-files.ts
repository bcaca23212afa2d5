import type { GatewayOptions } from "./gateway-options.ts";
import type { OutgoingFiles } from "./outbound/outgoing-files.ts";
import { pruneReceived } from "./tools/attachments/prune-received.ts";

/** What grows old of files: the copies of those that were sent, and those that agents have saved. */
export function createFilePruner(
  { agents, ports }: Pick<GatewayOptions, "agents" | "ports">,
  outgoing: OutgoingFiles | undefined,
): Pick<OutgoingFiles, "prune"> {
  const workspaces = Object.values(agents).map(({ workspace }) => workspace);
  return {
    async prune(olderThanMs) {
      // What one of them cannot remove keeps nothing from the other.
      const pruned = await Promise.allSettled([
        outgoing?.prune(olderThanMs),
        pruneReceived(workspaces, ports.clock.now() - olderThanMs),
      ]);
      for (const end of pruned) if (end.status === "rejected") throw end.reason;
    },
  };
}
