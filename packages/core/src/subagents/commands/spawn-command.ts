import type { Command, CommandContext, CommandDecision } from "../../commands/command.ts";
import { nameRun, parseRunBody, type RunBody } from "../../runs/run-body.ts";
import { prepareSpawn, settleSpawn } from "../spawn/spawn-pipeline.ts";
import { buildAnswer } from "../spawn/stages/answer.ts";
import { undoReservation } from "../spawn/undo-spawn.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { formatRefusalForPeople } from "./refusal-for-people.ts";
import { boldRun } from "./run-rows.ts";
import { parseSpawnLine } from "./spawn-line.ts";

/** `/spawn`: a person gives a task to a sub-agent. The reservation stands before, its acceptance is the command's own step. */
export function createSpawnCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.spawn,
    decide: (context) => decideSpawnCommand(context, context.rest, parts),
  };
}

export async function decideSpawnCommand(
  context: CommandContext,
  line: string,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const parsed = parseSpawnLine(line);
  if (parsed.kind === "invalid") return { answer: parsed.problem };
  const { record, address, body, seq, answerId } = context;
  const asker = {
    source: "command",
    sessionKey: record.key,
    record,
    address,
    sender: body.sender,
    person: body.sender.id,
    itemSeq: seq,
    anchor: `${answerId}.0`,
    ordinal: 0,
  } as const;
  const prepared = await prepareSpawn(parsed.request, asker, parts);
  if (prepared.kind === "answered") {
    const { answer, run } = prepared;
    if (answer.status !== "accepted") return { answer: `⚠ ${formatRefusalForPeople(answer)}` };
    return { answer: run === undefined ? "It is at work." : tellSpawned(parseRunBody(run.body), answer.runId) };
  }
  const { accept, draft, run } = prepared;
  const { runId, note } = buildAnswer(prepared);
  return {
    answer: `${tellSpawned(draft.plan.body, runId)}${note === undefined ? "" : `\n${note}`}`,
    effect: {
      written: { accept },
      settle: () => void settleSpawn(prepared, parts),
      abandon: () => undoReservation(run, parts),
    },
  };
}

function tellSpawned(body: RunBody, runId: string): string {
  return `🌱 ${boldRun({ name: nameRun(body) })} is at work (\`${runId.slice(0, 8)}\`).`;
}
