import type { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";

/** What a test's module does in a thread of the store. */
export interface FaultPointModule {
  readonly faultPoint: FaultPoint;
  /** Gets the writing connection once it is open, such as to take its disk space away and give it back. */
  prepareDatabase(database: DatabaseSync): void;
}

/** Loads the module that a test names: a fault point as default, and `prepareDatabase` where it is there. */
export async function loadFaultPoint(moduleUrl: string | undefined): Promise<FaultPointModule | undefined> {
  if (moduleUrl === undefined) return undefined;
  const loaded: { default?: unknown; prepareDatabase?: unknown } = await import(moduleUrl);
  const { default: faultPoint, prepareDatabase } = loaded;
  if (typeof faultPoint !== "function") {
    throw new TypeError(`loading a fault point: ${moduleUrl} exports no function as default`);
  }
  return {
    faultPoint(name) {
      faultPoint(name);
    },
    prepareDatabase(database) {
      if (typeof prepareDatabase === "function") prepareDatabase(database);
    },
  };
}
