import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@banyan/plugin-sdk/store";
import { type StoreHarness, storeConformance } from "@banyan/plugin-sdk/store/suite";
import { openSqliteStore } from "@banyan/store-sqlite";
import { createManualClock } from "./manual-clock.ts";

/** `pnpm test` runs one case in this many, `pnpm test:long` runs the others. */
const ONE_IN = 12;

interface ConformanceCase {
  readonly name: string;
  readonly tell: () => Promise<void>;
}

interface SqliteHarness extends StoreHarness {
  close(): Promise<void>;
}

/** Lists the contract's cases of one part. Each case belongs to exactly one part. */
export function listCases(part: "quick" | "long"): readonly ConformanceCase[] {
  return storeConformance
    .filter((_, index) => (index % ONE_IN === 0) === (part === "quick"))
    .map(({ name, run }) => ({ name, tell: () => inFolder(run) }));
}

async function inFolder(run: (harness: StoreHarness) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "banyan-conformance-"));
  const harness = createHarness(folder);
  try {
    await run(harness);
  } finally {
    await harness.close();
    rmSync(folder, { recursive: true, force: true });
  }
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
