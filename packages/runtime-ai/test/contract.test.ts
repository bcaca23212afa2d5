import { listRuntimeCases } from "@banyan/plugin-sdk/runtime/suite";
import { describe, it } from "vitest";
import { createAiRuntime } from "../src/index.ts";
import { createLoopbackHarness } from "./stage/loopback-harness.ts";
import { createMockHarness } from "./stage/mock-harness.ts";

const { capabilities } = createAiRuntime({ providers: {} });

describe("the runtime ai keeps the contract on a model server", () => {
  const cases = listRuntimeCases({
    capabilities,
    plans: ["answers", "lasts", "calls", "spends", "steers", "fails", "dies"],
  });
  for (const { name, run } of cases)
    it(name, async () => {
      const harness = await createLoopbackHarness();
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
});

describe("the runtime ai keeps the contract on a model without a server", () => {
  const cases = listRuntimeCases({ capabilities, plans: ["answers", "lasts", "calls", "spends"] });
  for (const { name, run } of cases) it(name, () => run(createMockHarness()));
});
