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
      await outgoing?.prune(olderThanMs);
      await pruneReceived(workspaces, ports.clock.now() - olderThanMs);
    },
  };
}
