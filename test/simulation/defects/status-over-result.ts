import type { Defect } from "./defect.ts";

/** Nobody looks whether a status has become a result before it is edited. */
export const statusOverResult: Defect = {
  name: "status-over-result",
  breaks: ["anchors"],
  needsMagpies: true,
  wrapStore: (store, { data }) => ({
    ...store,
    read: {
      ...store.read,
      async claimant(id) {
        const row = await store.read.claimant(id);
        const isSending = [...(data.unsettledDeliveries.get("sending") ?? [])].includes(row?.id ?? "");
        // Whoever sends asks as well, and is told the truth.
        return isSending ? row : undefined;
      },
    },
  }),
};
