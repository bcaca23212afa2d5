import type { StoreReads } from "@banyan/store";
import { buildSendDedupe, type MessageSender } from "./message-sender.ts";
import type { SentMessage } from "./sent-message.ts";

/** What this very call has sent in an earlier attempt of its turn. A run that was only reserved is not sent yet. */
export async function findSent(
  sender: MessageSender,
  read: Pick<StoreReads, "runByDedupe" | "itemByDedupe">,
): Promise<SentMessage | undefined> {
  const dedupe = buildSendDedupe(sender);
  const [run, item] = await Promise.all([read.runByDedupe(dedupe), read.itemByDedupe(dedupe)]);
  if (run !== undefined && run.state !== "reserved") return { kind: "run", runId: run.runId };
  return item === undefined ? undefined : { kind: "turn", dedupe };
}
