import type { ToolResult } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import type { ChildTask } from "./child-task.ts";

export const SPAWN_TOOL = "sessions_spawn";
const REASON_LIMIT_CHARS = 300;

export type SpawnAnswer =
  | { readonly kind: "accepted"; readonly runId: string }
  /** A sentence without its full stop. */
  | { readonly kind: "refused"; readonly reason: string };

/** Starts a sub-agent, which then works by itself: its end wakes this session with a completion. */
export async function spawnChild(turn: LiveTurn, { label, task }: ChildTask): Promise<SpawnAnswer> {
  return parseSpawnAnswer(await turn.callTool(SPAWN_TOOL, { task, label }));
}

/** Reads the tool's answer, now or from the transcript. What is not understood has started nothing we could wait for. */
export function parseSpawnAnswer({ text }: Pick<ToolResult, "text">): SpawnAnswer {
  const answer = parseJson(text);
  if (typeof answer !== "object" || answer === null) return refuse(text);
  if ("status" in answer && answer.status === "accepted" && "runId" in answer && typeof answer.runId === "string") {
    return { kind: "accepted", runId: answer.runId };
  }
  return refuse("error" in answer && typeof answer.error === "string" ? answer.error : text);
}

function refuse(reason: string): SpawnAnswer {
  return { kind: "refused", reason: reason.trim().slice(0, REASON_LIMIT_CHARS).replace(/\.+$/u, "") };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A failure of the tool's wrapper is a plain sentence.
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
