/** The conformance suite over all drivers, free of any test framework. */

export * from "./store-case.ts";
export { storeConformance } from "./store-conformance.ts";
export * from "./store-dump.ts";
