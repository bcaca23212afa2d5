import { expect, it } from "vitest";
import { LATER_FEATURES } from "../../../src/config/problems/later-feature.ts";
import { PROBLEM_FORM, problemsOf } from "../written-config.ts";

/** Writes a configuration in which the pattern's key stands, with the pattern's value. */
function writeInput(pattern: string): unknown {
  const [path = "", value] = pattern.split("=");
  const steps = path.split(".").map((step, at) => (step === "*" && path.startsWith("routes") && at === 1 ? 0 : step));
  return steps.reduceRight<unknown>((below, step) => {
    if (step === 0) return [below];
    return { [step === "*" ? "main" : step]: below };
  }, value ?? {});
}

it.each(LATER_FEATURES)("refuses %s with its reason", (pattern, reason) => {
  const path = (pattern.split("=")[0] ?? "").replace("routes.*", "routes[0]").replaceAll("*", "main");
  const [problem] = problemsOf(writeInput(pattern)).filter((line) => line.startsWith(`${path}: `));
  expect(problem).toContain(`Not supported yet: ${reason}`);
  expect(problem).toMatch(PROBLEM_FORM);
});

it.each([
  [{ session: { maintenance: {} } }, "session.maintenance"],
  [{ session: { ttlMinutes: 5 } }, "session.ttlMinutes"],
  [{ store: { driver: "postgres" } }, "store.driver"],
])("refuses %j and nothing else", (input, path) => {
  const problems = problemsOf(input);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${path}: Not supported yet`));
});

it.each([
  { limits: {}, threads: {}, tools: { sessions: {}, agentToAgent: {}, attachments: {} } },
  { agents: { defaults: { sandbox: "strict", subagents: {} } } },
  { queue: { mode: "followup" } },
  { store: { driver: "sqlite" } },
  { channels: { ferry: { accounts: { default: { delivery: "at-most-once" } } } } },
  { channels: { ferry: { accounts: { default: { dmPolicy: "pairing", groups: { policy: "allowlist" } } } } } },
])("takes %j, which works now", (input) => {
  expect(problemsOf(input)).toEqual([]);
});
