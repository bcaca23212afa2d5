import {
  applyRandomStep,
  assertStoresAlike,
  createListedRandom,
  createModelState,
  createSeededRandom,
} from "@banyan/plugin-sdk/store/suite";
import { createMemoryStore } from "@banyan/store-memory";
import { openSqliteStore } from "@banyan/store-sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const decisions = fc.array(fc.array(fc.nat({ max: 9_999 }), { maxLength: 40 }), { maxLength: 80, size: "max" });

describe("sqlite and memory, sent the same steps", () => {
  test("answer alike and end alike", { timeout: 0 }, async () => {
    const property = fc.asyncProperty(decisions, async (steps) => {
      const clock = createManualClock();
      const driver = await openSqliteStore({
        stateDir: createTemporaryFolder(),
        clock,
        synchronous: "normal",
        readable: false,
      });
      try {
        const stores = [createMemoryStore({ clock }), driver] as const;
        const state = createModelState();
        for (const numbers of steps) await applyRandomStep(createListedRandom(numbers), state, stores);
        await assertStoresAlike(state, stores);
      } finally {
        await driver.close();
      }
    });
    await fc.assert(property, { numRuns: 15 });
  });

  test("stay alike over a long life with restarts", { timeout: 0 }, async () => {
    const clock = createManualClock();
    const stateDir = createTemporaryFolder();
    const memory = createMemoryStore({ clock });
    const state = createModelState();
    const random = createSeededRandom(7);
    for (let life = 0; life < 4; life += 1) {
      // A layout would keep what it does not have yet from being pruned.
      const driver = await openSqliteStore({ stateDir, clock, synchronous: "normal", readable: false });
      for (let step = 0; step < 1_000; step += 1) await applyRandomStep(random, state, [memory, driver]);
      await assertStoresAlike(state, [memory, driver]);
      await driver.close();
    }
    expect(state.items.length).toBeGreaterThan(100);
  });
});
