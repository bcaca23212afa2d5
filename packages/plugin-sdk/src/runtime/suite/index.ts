/** The conformance suite over all agent runtimes, free of any test framework. */
export * from "./runtime-case.ts";
export { listRuntimeCases } from "./runtime-conformance.ts";
export * from "./turn-desk.ts";
