import type { AgentRuntime } from "@banyan/plugin-sdk";
import { createDeadlines } from "../ports/deadlines.ts";
import type { Ports } from "../ports/ports.ts";

/** A runtime that is slow to say what it has keeps nobody waiting. */
const MODELS_TIMEOUT_MS = 5_000;

export interface ModelListParts {
  readonly ports: Ports;
  getRuntime(runtimeId: string): Promise<AgentRuntime>;
}

/** Asks runtimes which models may be asked for by name; `undefined`: it does not say now, which is logged. */
export function createModelList({
  ports,
  getRuntime,
}: ModelListParts): (runtime: string) => Promise<readonly string[] | undefined> {
  const deadlines = createDeadlines(ports.clock, MODELS_TIMEOUT_MS);
  return async (runtime) => {
    try {
      const late = () => new Error(`The models of the runtime ${runtime} were asked for: no answer came in time`);
      return await deadlines.within(
        getRuntime(runtime).then((opened) => opened.models()),
        late,
      );
    } catch (error) {
      ports.log.warn({ err: error, runtime }, "a runtime's models could not be listed");
      return undefined;
    }
  };
}
