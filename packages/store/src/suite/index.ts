/** The conformance suite over all drivers, free of any test framework. */
export { applyRandomStep, type ModelSubject } from "./model/apply-random-step.ts";
export { createModelState, type ModelState } from "./model/model-state.ts";
export { createListedRandom, createSeededRandom, type RandomSource } from "./model/random-source.ts";
export * from "./store-case.ts";
export { storeConformance } from "./store-conformance.ts";
export * from "./store-dump.ts";
