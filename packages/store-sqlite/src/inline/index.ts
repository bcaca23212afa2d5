export * from "./inline-database.ts";
export * from "./inline-store.ts";
