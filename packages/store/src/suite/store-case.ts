import type { Store } from "../store.ts";

/**
 * What a driver's test gives to one case. Each case gets a harness of its own over empty data; whoever made it closes
 * the store and removes the data when the case has ended.
 */
export interface StoreHarness {
  /** Called once, first. */
  open(): Promise<Store>;
  /** Closes the store and opens the same data again. The one that was open is not used any more. */
  reopen?(): Promise<Store>;
  /** Moves the driver's clock; a harness without it runs with the machine's. */
  advance?(ms: number): void | Promise<void>;
}

/** What a case cannot run without. A test skips the case, and says so, where its harness lacks it. */
export type StoreAbility = "reopen" | "advance";

/** One sentence of the contract. */
export interface StoreCase {
  readonly name: string;
  readonly needs?: StoreAbility;
  /** Rejects with an `AssertionError` where the driver does not keep the sentence. */
  run(harness: StoreHarness): Promise<void>;
}
