import {
  type ChatRequest,
  createModelEmulator,
  findLastSaid,
  listToolResults,
  type ModelEmulator,
  type ModelReply,
} from "@banyan/emulator-model";
import type { Clock } from "@banyan/plugin-sdk";
import type { PreparedTurn, RuntimeHarness, RuntimePlans } from "@banyan/plugin-sdk/runtime/suite";
import { createAiRuntime } from "../../src/index.ts";

/** Between two tries. */
const LONGEST_WAIT_MS = 60_000;

/** Fires what is scheduled at once: waits between tries take no time in a test. */
export const hurriedClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delayMs, callback) {
    // What watches for silence stays: its limit is minutes.
    if (delayMs > LONGEST_WAIT_MS) return () => undefined;
    const soon = setImmediate(callback);
    return () => clearImmediate(soon);
  },
};

const ANSWER: readonly string[] = ["Hel", "lo ", "wor", "ld."];

/** Answers by what the person said, so that any attempt and any step finds its place. */
function answerPlan(request: ChatRequest): ModelReply {
  const said = findLastSaid(request);
  const results = listToolResults(request).length;
  if (said === "call") {
    if (results === 0) return { calls: [{ name: "list_files" }] };
    if (results === 1) return { calls: [{ name: "read_file", args: { path: "docs/a.md" } }] };
    return { text: ["I have ", "read it."] };
  }
  if (said === "spend" && results === 0) return { calls: [{ name: "list_files" }] };
  const steered = request.messages.flatMap(({ role, content }) =>
    role === "user" && typeof content === "string" && content.startsWith("steer-") ? [content] : [],
  );
  if (steered.length > 0) return { text: `I hear ${steered.join(" and ")}.` };
  return { text: ANSWER };
}

export interface LoopbackHarness extends RuntimeHarness {
  readonly server: ModelEmulator;
  close(): Promise<void>;
}

export async function createLoopbackHarness(): Promise<LoopbackHarness> {
  const server = await createModelEmulator({ script: answerPlan });
  const runtime = createAiRuntime({
    providers: { grove: { kind: "openai-compatible", baseUrl: server.url, apiKey: "grove-key" } },
    defaultModel: "grove/grove-1",
  });
  return { runtime, server, clock: hurriedClock, plans: buildPlans(server), close: () => server.close() };
}

function buildPlans(server: ModelEmulator): RuntimePlans {
  const held = (text: string, aim: { skip?: number; afterChunks?: number }): PreparedTurn => {
    const gate = server.hold({ times: 1, ...aim });
    const reached = gate.reached();
    // A case that stops the turn at once never gets there.
    reached.catch(() => undefined);
    return { text, reached, release: () => void gate.release() };
  };
  return {
    answers: () => ({ text: "answer", answer: ANSWER.join("") }),
    lasts: () => held("last", { afterChunks: 3 }),
    calls: () => ({ text: "call" }),
    spends: () => held("spend", { skip: 1 }),
    steers: () => held("listen", { afterChunks: 3 }),
    fails: () => {
      server.fault({ kind: "refuse", status: 401, message: "Incorrect API key provided" });
      return { text: "fail" };
    },
    dies: () => {
      server.fault({ kind: "drop", times: 4 });
      return { text: "die" };
    },
  };
}
