import type { RunMode } from "@banyan/plugin-sdk";

export interface SpawnModeInput {
  readonly mode?: RunMode | undefined;
  readonly thread?: boolean | undefined;
}

/** What is asked for wins; else a child with a thread stays for several turns, and one without has one task. */
export function resolveSpawnMode({ mode, thread }: SpawnModeInput): RunMode {
  return mode ?? (thread === true ? "session" : "run");
}

export function isRunMode(word: string): word is RunMode {
  return word === "run" || word === "session";
}
