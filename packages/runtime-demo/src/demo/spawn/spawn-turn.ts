import type { ContentPart, TranscriptEntry } from "@banyan/plugin-sdk";
import type { ChildTask } from "./child-task.ts";
import { parseSpawnAnswer, SPAWN_TOOL, type SpawnAnswer } from "./spawn-child.ts";

/** A sub-agent that was asked for, and whether it came to be. */
export interface SpawnedChild extends ChildTask {
  readonly answer: SpawnAnswer;
}

/** The sub-agents that one turn asked for, in that order. Their completions are answered together. */
export type SpawnTurn = readonly SpawnedChild[];

type CallPart = Extract<ContentPart, { type: "tool_call" }>;

/** Finds them in a transcript. Each turn numbers its calls from 0, so the number 0 begins one. A result follows its call. */
export function readSpawnTurns(history: readonly TranscriptEntry[]): readonly SpawnTurn[] {
  const turns: SpawnedChild[][] = [[]];
  let open: CallPart | undefined;
  for (const part of history.flatMap(({ content }) => content)) {
    if (part.type === "tool_call") {
      if (part.ordinal === 0) turns.push([]);
      open = part;
    }
    if (part.type !== "tool_result" || part.name !== SPAWN_TOOL) continue;
    turns.at(-1)?.push({ ...readTask(open?.args), answer: parseSpawnAnswer(part) });
  }
  return turns.filter((turn) => turn.length > 0);
}

/** Another runtime may have made the call, with whatever arguments. */
function readTask(args: unknown): ChildTask {
  const given = typeof args === "object" && args !== null ? args : {};
  const label = "label" in given && typeof given.label === "string" ? given.label : "";
  return { label, task: "task" in given && typeof given.task === "string" ? given.task : "" };
}
