import { createModelEmulator, type ModelEmulator, type ModelScript } from "@banyan/emulator-model";
import type { AgentRuntime, RunEvent, SessionSpec, TurnMessage } from "@banyan/plugin-sdk";
import { readAll, type TestTool, TurnDesk } from "@banyan/plugin-sdk/runtime/suite";
import { onTestFinished } from "vitest";
import { createAiRuntime, type ModelProvider } from "../../src/index.ts";
import { hurriedClock } from "./loopback-harness.ts";

export interface ModelStage {
  readonly server: ModelEmulator;
  readonly desk: TurnDesk;
  readonly runtime: AgentRuntime;
  /** Runs one turn to its end. */
  ask(
    input: string | readonly TurnMessage[],
    options?: {
      readonly spec?: Partial<SessionSpec>;
      readonly tools?: Record<string, TestTool>;
      readonly attempt?: number;
    },
  ): Promise<readonly RunEvent[]>;
}

/** A runtime on a model server that plays a script, and a desk that gives it turns; gone with the test. */
export async function openModelStage(
  script: ModelScript,
  provider: Partial<ModelProvider> = {},
  more: Readonly<Record<string, Partial<ModelProvider>>> = {},
): Promise<ModelStage> {
  const server = await createModelEmulator({ script, apiKey: "grove-key" });
  onTestFinished(() => server.close());
  const grove: ModelProvider = { kind: "openai-compatible", baseUrl: server.url, apiKey: "grove-key", ...provider };
  const others = Object.entries(more).map(([name, own]) => [name, { ...grove, ...own }] as const);
  const providers = { grove, ...Object.fromEntries(others) };
  const runtime = createAiRuntime({ providers, defaultModel: "grove/small", random: () => 0 });
  const desk = new TurnDesk();
  return {
    server,
    desk,
    runtime,
    async ask(input, { spec = {}, tools = {}, attempt = 1 } = {}) {
      const described = Object.keys(tools).map((name) => ({ name, description: name, parameters: { type: "object" } }));
      const session = await desk.open(runtime, { tools: described, ...spec }, hurriedClock);
      const events = await readAll(session.run(desk.turn(input, tools, attempt)));
      await session.close();
      return events;
    },
  };
}
