import { type ChatRequest, findLastSaid, listToolResults, type ModelReply } from "@banyan/emulator-model";
import type { RuntimeHarness, RuntimePlan, RuntimePlans } from "@banyan/plugin-sdk/runtime/suite";
import { type OpencodeDesk, openOpencode, WORK_MODEL } from "./opencode-desk.ts";
import { createSystemClock } from "./system-clock.ts";

/**
 * What opencode (1.18) can be brought to do. Left out: `steers`, as it does not offer `_session/steering`; and `spends`, as it
 * tells the tokens of a turn's last step alone, which are none where that step is stopped. What such a turn has cost it tells.
 */
export const OPENCODE_PLANS: readonly RuntimePlan[] = ["answers", "lasts", "calls", "fails", "dies"];

/** Of a turn, until its model is asked. */
const REACH_LIMIT_MS = 30_000;

const ANSWER: readonly string[] = ["Hel", "lo ", "wor", "ld."];

/** Answers by what the person said last, so that any attempt and any step finds its place. */
function answerPlan(request: ChatRequest): ModelReply {
  const said = findLastSaid(request);
  // A provider's filter. A key that is refused would do as well, but opencode words that as an error of its own insides.
  if (said === "fail") return { finishReason: "content_filter" };
  if (said !== "call") return { text: ANSWER };
  const results = listToolResults(request).length;
  if (results === 0) return { calls: [{ name: "banyan_list_files", args: {} }] };
  if (results === 1) return { calls: [{ name: "banyan_read_file", args: { path: "docs/a.md" } }] };
  return { text: ["I have ", "read it."] };
}

/** The real opencode, brought to do what the contract's cases need. */
export async function createOpencodeHarness(): Promise<RuntimeHarness> {
  const desk = await openOpencode("ask", answerPlan);
  return { runtime: desk.runtime, clock: createSystemClock(), plans: buildPlans(desk) };
}

function buildPlans({ server, kill }: OpencodeDesk): RuntimePlans {
  const hold = () => {
    const gate = server.hold({ model: WORK_MODEL, times: 1, afterChunks: 3 });
    return { gate, reached: gate.reached(1, REACH_LIMIT_MS) };
  };
  return {
    answers: () => ({ text: "answer", answer: ANSWER.join("") }),
    lasts: () => {
      const { reached } = hold();
      // A case that stops the turn at once never gets there.
      reached.catch(() => undefined);
      return { text: "last", reached };
    },
    calls: () => ({ text: "call" }),
    fails: () => ({ text: "fail" }),
    dies: () => {
      const { gate, reached } = hold();
      void reached.then(kill).then(() => gate.cut());
      return { text: "die" };
    },
  };
}
