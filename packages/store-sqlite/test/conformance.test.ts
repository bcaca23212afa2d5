import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@banyan/plugin-sdk/store";
import { type StoreHarness, storeConformance } from "@banyan/plugin-sdk/store/suite";
import { openSqliteStore } from "@banyan/store-sqlite";
import { afterAll, describe, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";

interface SqliteHarness extends StoreHarness {
  close(): Promise<void>;
}

function createHarness(stateDir: string): SqliteHarness {
  const clock = createManualClock();
  let store: Store | undefined;
  const open = async () => {
    store = await openSqliteStore({ stateDir, clock, synchronous: "normal", readable: false });
    return store;
  };
  return {
    open,
    async reopen() {
      await store?.close();
      return open();
    },
    advance: (ms) => clock.advance(ms),
    close: async () => store?.close(),
  };
}

describe("sqlite keeps the contract of the store", () => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-conformance-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const [index, storeCase] of storeConformance.entries()) {
    test.concurrent(storeCase.name, async () => {
      const harness = createHarness(join(folder, String(index)));
      try {
        await storeCase.run(harness);
      } finally {
        await harness.close();
      }
    });
  }
});
