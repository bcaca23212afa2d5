import { createManualClock } from "@banyan/plugin-sdk/kit";
import type { RuntimeHarness } from "@banyan/plugin-sdk/runtime/suite";
import { MockLanguageModelV4 } from "ai/test";
import { createAiRuntime } from "../../src/index.ts";

type Asked = Parameters<MockLanguageModelV4["doStream"]>[0];
type Part =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer One> ? One : never;

/** A model without a server: its stream, from what was said. */
export function createMockHarness(): RuntimeHarness {
  const stage = { stands: Promise.withResolvers<void>() };
  const model = new MockLanguageModelV4({
    doStream: async (asked) => ({ stream: stream(answerPlan(asked), asked, () => stage.stands.resolve()) }),
  });
  const runtime = createAiRuntime({
    providers: {},
    defaultModel: "mock/small",
    getModel: async (name) => ({ name, model, windowTokens: 100_000 }),
  });
  const prepare = (text: string) => {
    stage.stands = Promise.withResolvers<void>();
    return { text };
  };
  return {
    runtime,
    clock: createManualClock(),
    plans: {
      answers: () => ({ ...prepare("answer"), answer: "Hello world." }),
      lasts: () => ({ ...prepare("last"), reached: stage.stands.promise }),
      calls: () => prepare("call"),
      spends: () => ({ ...prepare("spend"), reached: stage.stands.promise }),
    },
  };
}

interface Plan {
  readonly texts: readonly string[];
  readonly call?: string;
  readonly lasts?: boolean;
}

function answerPlan({ prompt }: Asked): Plan {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const said = JSON.stringify(prompt[last]?.content ?? "");
  const results = prompt.slice(last).filter(({ role }) => role === "tool").length;
  if (said.includes('"call"') && results < 2) return { texts: [], call: results === 0 ? "list_files" : "read_file" };
  if (said.includes('"spend"') && results === 0) return { texts: [], call: "list_files" };
  if (said.includes('"spend"') || said.includes('"last"')) return { texts: ["So"], lasts: true };
  return { texts: ["Hel", "lo ", "world."] };
}

function stream({ texts, call, lasts = false }: Plan, asked: Asked, onStand: () => void): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      const parts: Part[] = [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "0" },
        ...texts.map((delta): Part => ({ type: "text-delta", id: "0", delta })),
        { type: "text-end", id: "0" },
      ];
      for (const part of parts) controller.enqueue(part);
      if (call !== undefined)
        controller.enqueue({ type: "tool-call", toolCallId: `${asked.prompt.length}`, toolName: call, input: "{}" });
      if (lasts) {
        asked.abortSignal?.addEventListener("abort", () => controller.error(asked.abortSignal?.reason));
        return onStand();
      }
      controller.enqueue({
        type: "finish",
        finishReason: { unified: call === undefined ? "stop" : "tool-calls", raw: "stop" },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 2, text: 2, reasoning: undefined },
        },
      });
      controller.close();
    },
  });
}
