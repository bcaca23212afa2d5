import type { Store } from "@banyan/store";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Outbox } from "./outbox.ts";

/** An operator's hand on the outbox. Ids may be shortened to any prefix that names one delivery. */
export interface OutboxOperations {
  /** Makes a delivery that is not being sent due at once. */
  retry(id: string, actor: string): Promise<{ readonly id: string }>;
  /** Settles a delivery that was not sent as undeliverable. */
  drop(id: string, actor: string): Promise<{ readonly id: string }>;
}

const PAGE_ROWS = 1_000;

export function createOutboxOperations(store: Store, outbox: Pick<Outbox, "refresh">): OutboxOperations {
  const change = async (given: string, actor: string, step: "retry_delivery" | "drop_delivery") => {
    const row = await findDelivery(store, given);
    const audit = { actor, action: step, detail: row.id };
    const changed = await commitStep(store, { step, id: row.id, audit });
    if (changed.status === "refused") {
      const verb = step === "retry_delivery" ? "retried" : "dropped";
      throw new BanyanError(
        "delivery_unchanged",
        `The delivery ${row.id} was to be ${verb}: it is ${row.state}; only one that waits or has failed can be`,
      );
    }
    outbox.refresh(row);
    return { id: row.id };
  };
  return {
    retry: (id, actor) => change(id, actor, "retry_delivery"),
    drop: (id, actor) => change(id, actor, "drop_delivery"),
  };
}

async function findDelivery(store: Store, given: string) {
  const exact = await store.read.delivery(given);
  if (exact !== undefined) return exact;
  const found = [];
  for (let afterPos = 0; given !== ""; ) {
    const page = await store.read.deliveries({
      states: ["pending", "sending", "stuck", "unknown", "undeliverable"],
      afterPos,
      limit: PAGE_ROWS,
    });
    for (const row of page) {
      afterPos = row.pos;
      if (row.id.startsWith(given)) found.push(row);
    }
    if (page.length < PAGE_ROWS) break;
  }
  const [only, ...more] = found;
  if (only === undefined)
    throw new BanyanError(
      "delivery_not_found",
      `No delivery matches ${JSON.stringify(given)}; banyan outbox list shows them`,
    );
  if (more.length > 0)
    throw new BanyanError(
      "delivery_not_found",
      `${found.length} deliveries match ${JSON.stringify(given)}; give more of the id`,
    );
  return only;
}
