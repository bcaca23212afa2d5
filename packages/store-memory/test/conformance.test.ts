import type { Store } from "@banyan/plugin-sdk/store";
import { type StoreHarness, storeConformance } from "@banyan/plugin-sdk/store/suite";
import { describe, it } from "vitest";
import { createMemoryData, createMemoryStore } from "../src/index.ts";

describe("the memory store keeps the store contract", () => {
  for (const { name, run } of storeConformance) it(name, () => run(createHarness()));
});

function createHarness(): StoreHarness {
  const data = createMemoryData();
  let nowMs = Date.UTC(2030, 0, 1);
  let store: Store | undefined;
  const open = async () => {
    store = createMemoryStore({ data, clock: { now: () => nowMs } });
    return store;
  };
  return {
    open,
    async reopen() {
      await store?.close();
      return open();
    },
    advance(ms) {
      nowMs += ms;
    },
  };
}
