import { type StoreHarness, storeConformance } from "@banyan/store/suite";
import { createDatabaseLender, createInlineStore } from "@banyan/store-sqlite/inline";
import { describe, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";

describe("the store without threads keeps the contract of the store", () => {
  const lender = createDatabaseLender();
  for (const { name, run } of storeConformance)
    test(name, async () => {
      const data = lender.lend();
      const clock = createManualClock();
      let store = createInlineStore({ data, clock });
      const harness: StoreHarness = {
        open: async () => store,
        async reopen() {
          await store.close();
          store = createInlineStore({ data, clock });
          return store;
        },
        advance: (ms) => clock.advance(ms),
      };
      await run(harness);
      lender.takeBack(data);
    });
});
