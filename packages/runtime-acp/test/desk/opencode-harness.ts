import { type ChatRequest, findLastSaid, listToolResults, type ModelReply } from "@banyan/emulator-model";
import type { PreparedTurn, RuntimeHarness, RuntimePlan, RuntimePlans } from "@banyan/plugin-sdk/runtime/suite";
import { type OpencodeDesk, OPENCODE_LIMIT_MS, openOpencode, WORK_MODEL } from "./opencode-desk.ts";
import { createSystemClock } from "./system-clock.ts";

export const OPENCODE_PLANS: readonly RuntimePlan[] = ["answers", "lasts", "calls", "spends", "fails", "dies"];

const ANSWER: readonly string[] = ["Hel", "lo ", "wor", "ld."];

/** Answers by what the person said last, so that any attempt and any step finds its place. */
function answerPlan(request: ChatRequest): ModelReply {
  const said = findLastSaid(request);
  const results = listToolResults(request).length;
  if (said === "call" && results === 0) return { calls: [{ name: "banyan_list_files", args: {} }] };
  if (said === "call" && results === 1)
    return { calls: [{ name: "banyan_read_file", args: { path: "docs/a.md" } }] };
  if (said === "call") return { text: ["I have ", "read it."] };
  if (said === "spend" && results === 0) return { calls: [{ name: "banyan_list_files", args: {} }] };
  return { text: ANSWER };
}

/** The real opencode brought to do what the contract's cases need. */
export async function createOpencodeHarness(): Promise<RuntimeHarness> {
  const desk = await openOpencode("ask", answerPlan);
  return { runtime: desk.runtime, clock: createSystemClock(), plans: buildPlans(desk) };
}

function buildPlans({ server, kill }: OpencodeDesk): RuntimePlans {
  const held = (text: string, aim: { skip?: number; afterChunks?: number }) => {
    const gate = server.hold({ model: WORK_MODEL, times: 1, ...aim });
    const reached = gate.reached(1, OPENCODE_LIMIT_MS);
    // A case that stops the turn at once never gets there.
    reached.catch(() => undefined);
    return { text, reached, gate };
  };
  return {
    answers: () => ({ text: "answer", answer: ANSWER.join("") }),
    lasts: () => held("last", { afterChunks: 3 }),
    calls: () => ({ text: "call" }),
    spends: () => held("spend", { skip: 1 }),
    fails: () => {
      server.fault({ kind: "refuse", status: 401, message: "Incorrect API key provided", model: WORK_MODEL });
      return { text: "fail" };
    },
    dies: (): PreparedTurn => {
      const { text, reached, gate } = held("die", { afterChunks: 3 });
      void reached.then(kill).then(() => gate.cut());
      return { text };
    },
  };
}
