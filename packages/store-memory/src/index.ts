export * from "./commit-fault.ts";
export * from "./memory-data.ts";
export * from "./memory-store.ts";
