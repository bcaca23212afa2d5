import type { StoreMirror } from "../world/store-mirror.ts";
import type { Invariant } from "./invariant.ts";

/**
 * I25: a recovery leaves nothing of others behind, whenever the ones before it were cut off; and one that was killed
 * right behind it and begun again leaves the store as the first one did.
 */
export function createRecovery(): Invariant {
  let standing: string | undefined;
  return {
    name: "I25",
    observe(seen, { data }) {
      if (seen.type !== "step") return undefined;
      const before = standing;
      standing = undefined;
      if (seen.step.step !== "recover") return undefined;
      const { owner } = seen.step;
      const lane = [...data.ownedLanes].find((owned) => owned.owner !== owner);
      if (lane !== undefined) return `a recovery leaves ${lane.lane} with ${lane.owner}`;
      const row = [...(data.unsettledDeliveries.get("sending") ?? [])].find(
        (id) => data.deliveries.get(id)?.row.owner !== owner,
      );
      if (row !== undefined) return `a recovery leaves ${row} with a process that is gone`;
      standing = describe(data);
      return before === undefined || before === standing
        ? undefined
        : `two recoveries behind each other differ: ${before} became ${standing}`;
    },
  };
}

/** All that a recovery may change. */
function describe({ lanes, items, unsettledDeliveries, deliveries }: StoreMirror): string {
  const waiting = [...lanes.values()].flatMap(({ lane, epoch, queue }) =>
    queue.map((seq) => {
      const { attempt, deaths } = items.get(seq)?.row ?? {};
      return `${lane} ${epoch} ${seq} ${attempt} ${deaths}`;
    }),
  );
  const ids = [...unsettledDeliveries.values()].flatMap((set) => [...set]);
  const rows = ids.map((id) => {
    const { state, attempts, nextAtMs, maybeRepeated } = deliveries.get(id)?.row ?? {};
    return `${id} ${state} ${attempts} ${nextAtMs} ${maybeRepeated}`;
  });
  return [...waiting, ...rows].join(", ");
}
