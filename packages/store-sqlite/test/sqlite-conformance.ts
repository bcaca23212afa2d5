import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@banyan/store";
import { type StoreHarness, storeConformance } from "@banyan/store/suite";
import { openSqliteStore } from "@banyan/store-sqlite";
import { createManualClock } from "./manual-clock.ts";

/** `pnpm test` runs one case in this many and those below, `pnpm test:long` runs the others. */
const ONE_IN = 12;
/** No other quick test sees the mistakes in this driver's own statements that these see. */
const ALWAYS_QUICK: readonly string[] = [
  "receive: another writer of a session that exists is recorded, though the item brings no session along",
  "prune of runs: one that was announced with another run stays while a delivery of that one is kept",
];

interface ConformanceCase {
  readonly name: string;
  readonly tell: () => Promise<void>;
}

interface SqliteHarness extends StoreHarness {
  close(): Promise<void>;
}

/** Lists the contract's cases of one part. Each case belongs to exactly one part. */
export function listCases(part: "quick" | "long"): readonly ConformanceCase[] {
  const missing = ALWAYS_QUICK.find((quick) => storeConformance.every(({ name }) => name !== quick));
  if (missing !== undefined) throw new Error(`listing the cases of the contract: there is none named "${missing}"`);
  return storeConformance
    .filter(({ name }, index) => (index % ONE_IN === 0 || ALWAYS_QUICK.includes(name)) === (part === "quick"))
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
