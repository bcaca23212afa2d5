import type { DeliveryRow } from "@banyan/store";
import type { Defect } from "./defect.ts";

/** What another process began to edit is sent as a message of its own, as if for the first time. */
export const forgottenAnchor: Defect = {
  name: "forgotten-anchor",
  breaks: ["anchors"],
  needsMagpies: true,
  wrapStore: (store) => ({
    ...store,
    read: { ...store.read, deliveries: async (query) => (await store.read.deliveries(query)).map(forget) },
  }),
};

function forget({ anchorId, ...row }: DeliveryRow): DeliveryRow {
  return anchorId === undefined ? row : { ...row, policy: "at-least-once", maybeRepeated: false };
}
