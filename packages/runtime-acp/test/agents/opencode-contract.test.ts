import { listRuntimeCases } from "@banyan/plugin-sdk/runtime/suite";
import { describe, it } from "vitest";
import { createAcpRuntime } from "../../src/index.ts";
import { isOpencodeNamed, OPENCODE_LIMIT_MS } from "../desk/opencode-desk.ts";
import { createOpencodeHarness, OPENCODE_PLANS } from "../desk/opencode-harness.ts";

describe.skipIf(!isOpencodeNamed)("opencode keeps the contract (only with BANYAN_TEST_OPENCODE)", () => {
  // It does not steer, so what is said of runtimes that cannot is asked of it as well.
  const capabilities = {
    ...createAcpRuntime({ findSettings: () => undefined, env: {}, folder: "/none", version: "0" }).capabilities,
    steer: "none",
  } as const;
  const cases = listRuntimeCases({ capabilities, plans: OPENCODE_PLANS });
  for (const { name, run } of cases) it(name, async () => run(await createOpencodeHarness()), OPENCODE_LIMIT_MS);
});
