import { createModelEmulator, type ModelEmulator, type ModelScript } from "@banyan/emulator-model";
import { onTestFinished } from "vitest";
import { type Grove, type GroveOptions, openGrove } from "./grove.ts";
import { createHurriedClock } from "./hurried-clock.ts";

export interface ModelGrove {
  readonly server: ModelEmulator;
  readonly grove: Grove;
}

/** A secret of a provider, which is to be read nowhere. */
export const GROVE_KEY = "grove-key-canary-4711";

/** A gateway whose agent is a model on loopback that plays a script. */
export async function openModelGrove(script: ModelScript, options: GroveOptions = {}): Promise<ModelGrove> {
  const server = await createModelEmulator({ script, apiKey: GROVE_KEY });
  onTestFinished(() => server.close());
  const grove = await openGrove({
    ...options,
    env: { GROVE_KEY, ...options.env },
    config: {
      providers: { grove: { baseUrl: server.url, apiKey: "env:GROVE_KEY", models: ["large"] } },
      agents: { main: { model: "grove/small" } },
      ...options.config,
    },
    ports: { clock: createHurriedClock(20) },
  });
  return { server, grove };
}
