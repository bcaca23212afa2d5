import { listRuntimeCases, type RuntimeHarness, type RuntimePlan } from "@banyan/plugin-sdk/runtime/suite";
import { describe, it } from "vitest";
import { createAcpRuntime } from "../src/index.ts";
import { AgentDesk } from "./desk/agent-desk.ts";

/** What the fixture agent is told so that a plan comes about. */
const TEXTS: Readonly<Partial<Record<RuntimePlan, string>> & Record<"answers" | "lasts", string>> = {
  answers: "say an|swer",
  lasts: "say one;wait",
  spends: "say one;wait",
  calls: 'call list_files;call read_file {"path":"docs/a.md"}',
  steers: "listen",
  fails: "fail -32602 that is nothing it knows",
  dies: "say one;die",
};
const PLANS: readonly RuntimePlan[] = ["answers", "lasts", "calls", "spends", "steers", "fails", "dies"];

describe("the runtime acp keeps the contract", () => {
  const createHarness = (): RuntimeHarness => {
    const desk = new AgentDesk({ args: ["--http", "--steer", "--usage", "--load"] });
    const reached = (plan: RuntimePlan) => (plan === "steers" || plan === "spends" ? { reached: desk.begins() } : {});
    const prepare = (plan: RuntimePlan) => () => ({ text: TEXTS[plan] ?? "", ...reached(plan) });
    return {
      runtime: desk.runtime,
      clock: desk.clock,
      plans: {
        answers: () => ({ text: TEXTS.answers, answer: "answer" }),
        lasts: prepare("lasts"),
        ...Object.fromEntries(PLANS.slice(2).map((plan) => [plan, prepare(plan)])),
      },
    };
  };
  // The fixture steers, so what is said of receipts can be asked of it as well.
  const capabilities = {
    ...createAcpRuntime({ findSettings: () => undefined, env: {}, folder: "/none", version: "0" }).capabilities,
    steer: "receipt",
  } as const;
  const cases = listRuntimeCases({ capabilities, plans: PLANS });
  for (const { name, run } of cases) it(name, () => run(createHarness()));
});
