import { z } from "zod";
import type { ControlOperations } from "./control/control-socket.ts";
import type { OutboxOperations } from "./outbound/operate-outbox.ts";

const DeliveryArgs = z.strictObject({ id: z.string().min(1).max(200) });

export interface ControlParts {
  readonly outbox: OutboxOperations;
  /** The address of the web chat with its token: for the owner of the socket alone. */
  readonly describe: () => object;
  readonly status: () => Promise<object>;
}

/** What the command line may ask of a running gateway; arguments are checked here, at the edge. */
export function createControlOperations(parts: ControlParts): ControlOperations {
  return {
    info: async () => parts.describe(),
    status: async () => parts.status(),
    "outbox-retry": (args) => parts.outbox.retry(DeliveryArgs.parse(args).id, "command line"),
    "outbox-drop": (args) => parts.outbox.drop(DeliveryArgs.parse(args).id, "command line"),
  };
}
