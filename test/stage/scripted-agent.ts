import { createScriptedRuntime, type Script, type ScriptRecord, say } from "@banyan/runtime-demo";
import type { GroveOptions } from "./grove.ts";

/** An agent that plays a script, and remembers all it was given over every restart of the grove. */
export interface ScriptedAgent {
  readonly record: ScriptRecord;
  readonly runtimes: NonNullable<GroveOptions["runtimes"]>;
  /** The part of a configuration that makes it the agent `main`. */
  readonly config: { readonly agents: { readonly main: { readonly runtime: "scripted" } } };
}

/** `isDeaf`: it hears nothing while it works. */
export function createScriptedAgent(
  script: Script,
  { isDeaf = false }: { readonly isDeaf?: boolean } = {},
): ScriptedAgent {
  const runtime = createScriptedRuntime(script, { steer: isDeaf ? "none" : "receipt" });
  return {
    record: runtime.record,
    runtimes: { scripted: async () => runtime },
    config: { agents: { main: { runtime: "scripted" } } },
  };
}

/** One that says `heard:` and what it was told, so that a test sees which message an answer belongs to. */
export function createListener(): ScriptedAgent {
  return createScriptedAgent((turn) => say(`heard: ${turn.input.input.map(({ text }) => text).join("\n")}`));
}
