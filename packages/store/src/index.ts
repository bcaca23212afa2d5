/** The store port: what a driver implements. Not part of `apiVersion`. */
export * from "./binding-steps.ts";
export * from "./delivery-body.ts";
export * from "./delivery-steps.ts";
export * from "./input-steps.ts";
export * from "./new-rows.ts";
export * from "./results.ts";
export * from "./route-steps.ts";
export * from "./rows.ts";
export * from "./run-rows.ts";
export * from "./run-steps.ts";
export * from "./steps.ts";
export * from "./store.ts";
export * from "./suspect.ts";
export * from "./timer-steps.ts";
export * from "./turn-steps.ts";
export * from "./turn-stop.ts";
