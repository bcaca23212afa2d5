import { describe, test } from "vitest";
import { listCases } from "./sqlite-conformance.ts";

describe("sqlite keeps the contract of the store", () => {
  for (const { name, tell } of listCases("quick")) test.concurrent(name, tell);
});
