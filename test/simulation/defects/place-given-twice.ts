import type { DeliveryRow } from "@banyan/store";
import type { Ground } from "../world/ground.ts";
import type { Defect } from "./defect.ts";

/** The place of one status is given to each row that asks for it. */
export const placeGivenTwice: Defect = {
  name: "place-given-twice",
  breaks: ["anchors"],
  needsMagpies: true,
  wrapStore: (store, ground) => ({
    ...store,
    read: {
      ...store.read,
      claimant: async (id) => findAsking(await store.read.claimant(id), ground),
    },
  }),
};

/** Whoever is being sent in the chat meanwhile. */
function findAsking(first: DeliveryRow | undefined, { data }: Ground): DeliveryRow | undefined {
  for (const id of data.unsettledDeliveries.get("sending") ?? []) {
    const row = data.deliveries.get(id)?.row;
    if (first !== undefined && row?.policy === "anchor" && row.chat === first.chat) return row;
  }
  return first;
}
