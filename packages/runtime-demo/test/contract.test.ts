import type { AgentRuntime } from "@banyan/plugin-sdk";
import { listRuntimeCases, type RuntimeHarness, type RuntimePlan } from "@banyan/plugin-sdk/runtime/suite";
import { describe, it } from "vitest";
import {
  call,
  createDemoRuntime,
  createEchoRuntime,
  createGate,
  createScriptedRuntime,
  end,
  fail,
  failRetryably,
  report,
  type Script,
  say,
  takeSteer,
  wait,
} from "../src/index.ts";

interface Candidate {
  readonly name: string;
  readonly create: () => AgentRuntime;
  /** The message that brings it to do what a plan says. */
  /** All that it answers to the first of them, where that is short. */
  readonly answer?: string;
  readonly texts: Readonly<Partial<Record<RuntimePlan, string>> & Record<"answers" | "lasts", string>>;
}

const SCRIPT: Script = (turn) => {
  const hasText = (text: string) => turn.input.input[0]?.text === text;
  if (hasText("last")) return [...say("one"), wait(createGate()), end()];
  if (hasText("work")) return [call("list_files"), call("read_file"), ...say("worked")];
  if (hasText("spend")) return [report({ inputTokens: 12, outputTokens: 3 }), wait(createGate())];
  if (hasText("listen")) return [takeSteer()];
  if (hasText("fail")) return [fail("it cannot be done")];
  if (hasText("die")) return [failRetryably("it went away")];
  return say("an", "swer");
};
const SCRIPTED = { answers: "answer", lasts: "last", calls: "work", spends: "spend", fails: "fail", dies: "die" };

const CANDIDATES: readonly Candidate[] = [
  { name: "echo", create: createEchoRuntime, answer: "hello", texts: { answers: "hello", lasts: "hello" } },
  {
    name: "demo",
    create: createDemoRuntime,
    texts: { answers: "help", lasts: "slow 30", calls: "count words in docs" },
  },
  { name: "scripted", create: () => createScriptedRuntime(SCRIPT), answer: "answer", texts: SCRIPTED },
  {
    name: "scripted, steered",
    create: () => createScriptedRuntime(SCRIPT, { steer: "receipt" }),
    texts: { ...SCRIPTED, steers: "listen" },
  },
];

const PLANS: readonly RuntimePlan[] = ["answers", "lasts", "calls", "spends", "steers", "fails", "dies"];

describe.each(CANDIDATES)("the runtime $name keeps the contract", ({ create, texts, answer }) => {
  const plans = PLANS.filter((plan) => texts[plan] !== undefined);
  const further = plans.map((plan) => [plan, () => ({ text: texts[plan] ?? "" })] as const);
  const createHarness = (): RuntimeHarness => ({
    runtime: create(),
    plans: {
      ...Object.fromEntries(further),
      answers: () => ({ text: texts.answers, ...(answer === undefined ? {} : { answer }) }),
      lasts: () => ({ text: texts.lasts }),
    },
  });
  const cases = listRuntimeCases({ capabilities: create().capabilities, plans });
  for (const { name, run } of cases) it(name, () => run(createHarness()));
});
