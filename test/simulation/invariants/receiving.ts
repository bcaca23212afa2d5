import type { Invariant } from "./invariant.ts";
import { isReceived } from "./written.ts";

/** I12: what the platform counts as received is stored, or its refusal is. */
export function createKeptInbound(): Invariant {
  const stored = new Set<string>();
  return {
    name: "I12",
    observe(seen) {
      if (seen.type === "step" && seen.step.step === "receive" && seen.result.status === "done")
        for (const { address, nativeId } of seen.step.items) stored.add(`${address} ${nativeId}`);
      if (seen.type !== "confirmed") return undefined;
      const lost = seen.said.find(({ message }) => !stored.has(`${message.address} ${message.id}`));
      return lost === undefined
        ? undefined
        : `“${lost.message.text}” of ${lost.person.name} was acknowledged and is not stored`;
    },
  };
}

/** I13: a message of a platform becomes one item, however often it is sent. */
export function createDedupe(): Invariant {
  const items = new Map<string, number>();
  return {
    name: "I13",
    observe(seen) {
      if (seen.type !== "step" || seen.step.step !== "receive" || !isReceived(seen.result)) return undefined;
      for (const [at, { address, nativeId }] of seen.step.items.entries()) {
        const seq = seen.result.items[at]?.seq;
        if (seq === undefined) continue;
        const known = items.get(`${address} ${nativeId}`) ?? seq;
        if (known !== seq) return `message ${nativeId} of ${address} became the items ${known} and ${seq}`;
        items.set(`${address} ${nativeId}`, known);
      }
      return undefined;
    },
  };
}
