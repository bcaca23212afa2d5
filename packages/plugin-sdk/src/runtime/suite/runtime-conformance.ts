import { abortCases } from "./cases/abort-cases.ts";
import { endCases } from "./cases/end-cases.ts";
import { sessionCases } from "./cases/session-cases.ts";
import { steerCases } from "./cases/steer-cases.ts";
import { toolCases } from "./cases/tool-cases.ts";
import type { RuntimeCase, RuntimeProfile } from "./runtime-case.ts";

const RUNTIME_CONFORMANCE: readonly RuntimeCase[] = [
  ...endCases,
  ...abortCases,
  ...sessionCases,
  ...steerCases,
  ...toolCases,
];

/** The sentences of the runtime contract that a runtime can be asked for; its test runs each with a harness of its own. */
export function listRuntimeCases({ capabilities, plans }: RuntimeProfile): readonly RuntimeCase[] {
  return RUNTIME_CONFORMANCE.filter(({ needs, isFor }) => plans.includes(needs) && (isFor?.(capabilities) ?? true));
}
