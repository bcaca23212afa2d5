import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { spawnModelEmulator } from "@banyan/emulator-model";
import type { ToolDescription } from "@banyan/plugin-sdk";
import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { createAiRuntime } from "@banyan/runtime-ai";
import { dynamicTool, jsonSchema, stepCountIs, streamText, type ToolSet } from "ai";
import type { Bar } from "../bar.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";

const RATIO_LIMIT = 1.5;
/** Of each, in a round; the bare SDK and the agent take turns. */
const TURNS_PER_ROUND = 200;
const WARM_TURNS = 50;
/** A call of a tool, and an answer in forty chunks behind it. */
const QUESTION = `use list_files ${"and say so ".repeat(13)}`;
const LISTING = "docs/a.md\t11\ndocs/b.md\t7";
const PARAMETERS = { type: "object", properties: { path: { type: "string" } } } as const;
const TOOLS: readonly ToolDescription[] = ["list_files", "read_file", "sessions_spawn"].map((name) => ({
  name,
  description: `What ${name} does, in a sentence or two, as a model has to read it.`,
  parameters: PARAMETERS,
}));

/** A turn of the runtime `ai`, and the same question by the AI SDK alone, at one model server in a process of its own. */
export const modelTurn: Section = {
  name: "ai",
  about: "a turn of a model with a tool call against the bare AI SDK, on one model server",
  async measure({ pairs, tell }): Promise<readonly Bar[]> {
    const server = await spawnModelEmulator();
    try {
      const [askBare, askAgent] = [createBareAsk(server.url), createAgentAsk(server.url)];
      for (let turn = 0; turn < WARM_TURNS; turn += 1) {
        await askBare();
        await askAgent();
      }
      const rounds: { readonly bareMs: number; readonly agentMs: number }[] = [];
      for (let round = 1; round <= pairs; round += 1) {
        const times: { readonly bare: number[]; readonly agent: number[] } = { bare: [], agent: [] };
        for (let turn = 0; turn < TURNS_PER_ROUND; turn += 1) {
          times.bare.push(await measureMs(askBare));
          times.agent.push(await measureMs(askAgent));
        }
        const [bareMs, agentMs] = [median(times.bare), median(times.agent)];
        rounds.push({ bareMs, agentMs });
        tell(`ai ${round}/${pairs}  bare ${bareMs.toFixed(2)} ms, agent ${agentMs.toFixed(2)} ms a turn (p50)`);
      }
      return [judge(rounds)];
    } finally {
      await server.close();
    }
  },
};

function judge(rounds: readonly { readonly bareMs: number; readonly agentMs: number }[]): Bar {
  const agentMs = median(rounds.map((round) => round.agentMs));
  const bareMs = median(rounds.map((round) => round.bareMs));
  return {
    name: "model turn to the bare SDK",
    measured: median(rounds.map((round) => round.agentMs / round.bareMs)),
    limit: RATIO_LIMIT,
    side: "at most",
    unit: "×",
    detail: `p50 ${agentMs.toFixed(2)} to ${bareMs.toFixed(2)} ms, two requests and one tool each`,
  };
}

async function measureMs(ask: () => Promise<string>): Promise<number> {
  const begunMs = performance.now();
  const said = await ask();
  const tookMs = performance.now() - begunMs;
  // What answers something else has not done the same work.
  if (!said.startsWith("You said: use list_files"))
    throw new Error(`pnpm bench: the model said ${JSON.stringify(said)}`);
  return tookMs;
}

function createBareAsk(baseURL: string): () => Promise<string> {
  const model = createOpenAICompatible({ name: "grove", baseURL, includeUsage: true })("grove-1");
  const tools: ToolSet = Object.fromEntries(
    TOOLS.map(({ name, description }) => [
      name,
      dynamicTool({ description, inputSchema: jsonSchema(PARAMETERS), execute: async () => LISTING }),
    ]),
  );
  return async () => {
    let said = "";
    const { fullStream } = streamText({ model, prompt: QUESTION, tools, stopWhen: stepCountIs(20) });
    for await (const part of fullStream) if (part.type === "text-delta") said += part.text;
    return said;
  };
}

/** As the core does it: a session for each turn, and a tool whose result is kept. */
function createAgentAsk(baseUrl: string): () => Promise<string> {
  const runtime = createAiRuntime({
    providers: { grove: { kind: "openai-compatible", baseUrl } },
    defaultModel: "grove/grove-1",
  });
  return async () => {
    const desk = new TurnDesk();
    const session = await desk.open(runtime, { tools: TOOLS });
    const turn = desk.turn(QUESTION, { list_files: () => ({ text: LISTING, isError: false }) });
    const events = await readAll(session.run(turn));
    await session.close();
    return textOf(events);
  };
}
