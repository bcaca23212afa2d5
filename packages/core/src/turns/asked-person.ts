import { type ChannelPeer, parseAddress } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import { parseRunBody } from "../runs/run-body.ts";
import type { Turn } from "./compose-turn.ts";

/**
 * Whom a turn may ask for a permission: who wrote the message that it answers to, or who asked for the run that it works for
 * or answers to. `undefined`: nobody is known.
 */
export async function findAskedPerson(
  { claim, body, address, completions }: Turn,
  read: Pick<Store["read"], "run">,
): Promise<ChannelPeer | undefined> {
  const { channel } = parseAddress(address);
  const { runId, kind } = claim.item;
  const run = runId === undefined ? undefined : await read.run(runId);
  const asker = run === undefined ? undefined : parseRunBody(run.body).askedBy;
  if (asker !== undefined) return { channel, peer: asker };
  const [told] = completions;
  if (told?.askedBy !== undefined) return { channel, peer: told.askedBy };
  if (kind !== "message" || body.sender.isBot) return undefined;
  const { id: peer, displayName } = body.sender;
  return { channel, peer, ...(displayName === undefined ? {} : { displayName }) };
}
