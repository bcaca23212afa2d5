import { type InboundMessage, parseAddress } from "@banyan/plugin-sdk";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Invariant } from "./invariant.ts";
import { isReceived } from "./written.ts";

/** I12: what the platform counts as received is stored, or its refusal is. */
export function createKeptInbound(): Invariant {
  const stored = new Set<string>();
  return {
    name: "I12",
    observe(seen, { data }) {
      if (seen.type === "step" && seen.step.step === "receive" && seen.result.status === "done")
        for (const { address, nativeId, refused } of seen.step.items)
          stored.add(`${refused === "edited" ? "edit of " : ""}${address} ${nativeId}`);
      if (seen.type !== "confirmed") return undefined;
      for (const { from, to } of seen.moves)
        if (!isOnRecord(from, to, data)) return `${from} goes on as ${to}, and nobody wrote it down`;
      const lost = seen.said.find(
        ({ message }) => !stored.has(`${nameVersion(message)}${message.address} ${message.id}`),
      );
      return lost === undefined
        ? undefined
        : `“${lost.message.text}” of ${lost.person.name} was acknowledged and is not stored`;
    },
  };
}

/** An edit is no message of its own, and not lost with the one it corrects. */
function nameVersion({ text, editedAt }: InboundMessage): string {
  return editedAt === undefined || text.trim() === "" ? "" : "edit of ";
}

function isOnRecord(from: string, to: string, { seldom }: StoreMirror): boolean {
  const [one, other] = [parseAddress(from), parseAddress(to)];
  return seldom
    .listChatMoves()
    .some(({ channel, fromChat, toChat }) => channel === one.channel && fromChat === one.chat && toChat === other.chat);
}

/** I13: a message of a platform becomes one item, however often it is sent. */
export function createDedupe(): Invariant {
  const items = new Map<string, number>();
  return {
    name: "I13",
    observe(seen) {
      if (seen.type !== "step" || seen.step.step !== "receive" || !isReceived(seen.result)) return undefined;
      for (const [at, { address, nativeId, refused }] of seen.step.items.entries()) {
        const seq = seen.result.items[at]?.seq;
        if (seq === undefined || refused === "edited") continue;
        const known = items.get(`${address} ${nativeId}`) ?? seq;
        if (known !== seq) return `message ${nativeId} of ${address} became the items ${known} and ${seq}`;
        items.set(`${address} ${nativeId}`, known);
      }
      return undefined;
    },
  };
}
