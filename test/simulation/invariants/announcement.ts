import type { DeliveryBody, NewDelivery } from "@banyan/store";

/** The runs of whose end a row tells its chat. */
export function readTold({ kind, body }: Pick<NewDelivery, "kind" | "body">): readonly string[] {
  if (kind !== "completion") return [];
  const { announcement }: DeliveryBody = JSON.parse(body);
  return announcement === undefined ? [] : [announcement.runId, ...announcement.alsoRunIds];
}
