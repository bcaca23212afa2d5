import type { GatewayOptions } from "./gateway-options.ts";
import type { OutgoingFiles } from "./outbound/outgoing-files.ts";
import { pruneReceived } from "./tools/attachments/received-file.ts";
import { removeOldHomes } from "./tools/exec/environment.ts";

/** What grows old of files: copies of sent ones, those that agents have saved, homes of programs whose gateway was killed. */
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
        removeOldHomes(ports.clock.now(), ports.log),
      ]);
      for (const end of pruned) if (end.status === "rejected") throw end.reason;
    },
  };
}
