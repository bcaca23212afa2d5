import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { formatLevel } from "./answer-single.ts";
import { buildLevelTask, buildSideTask, buildWorkTask } from "./child-task.ts";
import { type SpawnAnswer, spawnChild } from "./spawn-child.ts";

/** A child that only shows how one looks; `false` when it was refused, which is said. */
export async function delegateWork(turn: LiveTurn, command: Parameters<typeof buildWorkTask>[0]): Promise<boolean> {
  const answer = await spawnChild(turn, buildWorkTask(command));
  if (answer.kind === "refused") {
    await turn.say(`I do it myself, because a sub-agent was refused: ${answer.reason}.\n`);
    return false;
  }
  const told =
    command.kind === "fail"
      ? "A sub-agent is about to fail, as you asked."
      : `A sub-agent works for ${command.seconds} s; I tell you when it is done.`;
  await turn.say(told);
  return true;
}

export async function delegateCompare(turn: LiveTurn, left: string, right: string): Promise<void> {
  const first = await spawnChild(turn, buildSideTask(left, 1));
  if (first.kind === "refused") return turn.say(`I can't compare: a sub-agent was refused: ${first.reason}.`);
  const second = await spawnChild(turn, buildSideTask(right, 2));
  if (second.kind === "accepted") return turn.say(`Two sub-agents count ${left} and ${right}.`);
  await turn.say(`A sub-agent counts ${left}; the one for ${right} was refused: ${second.reason}.`);
}

/** One level further down, until the last or until a limit. A person's own session is no level. */
export async function delegateNest(turn: LiveTurn, level: number, of: number, canSpawn: boolean): Promise<void> {
  const self = formatLevel(level, of);
  if (level === of) return turn.say(`${self}: I am the innermost.`);
  const answer = canSpawn ? await spawnChild(turn, buildLevelTask(level + 1, of)) : refusedAt(level);
  if (answer.kind === "refused") {
    return turn.say(level === 0 ? `I can't nest: ${answer.reason}.` : `${self}: I can't go deeper: ${answer.reason}.`);
  }
  await turn.say(level === 0 ? `I started a nest of sub-agents, ${of} deep.` : `${self}: I started the next.`);
}

/** An agent without the tool is at the last level that may be, or was never given it. */
function refusedAt(level: number): SpawnAnswer {
  const here = level === 0 ? "here I may not start sub-agents" : "depth limit reached (maxSpawnDepth)";
  return { kind: "refused", reason: here };
}
