import { isUnfinished, UNFINISHED_STATES } from "@banyan/store";
import {
  buildEndsEffect,
  type Command,
  type CommandContext,
  type CommandDecision,
  type CommandEffect,
  countOf,
} from "../../commands/command.ts";
import { formatPlainLine } from "../../ports/plain-text.ts";
import { countHalted } from "../../runs/count-halted.ts";
import { type HaltedTurn, haltOwnTurn } from "../../runs/own-turn.ts";
import { type EndRequest, type PreparedEnds, prepareEnds } from "../../runs/prepare-ends.ts";
import type { RunParts } from "../../runs/run-parts.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { giveTurnsBack } from "../../runs/stopped-lane.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { unquoteTarget } from "./command-target.ts";
import { chooseRun, type DirectedRuns, listTopUnfinished, NO_RUNS, readDirectedRuns } from "./directed-runs.ts";
import { boldRun, describeState, formatRunRows } from "./run-rows.ts";

const LONGEST_PERSON_CHARS = 40;

/** `/kill`: stops sub-agents with everything below them. Which end counts, this one or their own, the store decides. */
export function createKillCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.kill,
    decide: (context) => decideKillCommand(context, context.rest, parts),
  };
}

export async function decideKillCommand(
  context: CommandContext,
  line: string,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const target = unquoteTarget(line);
  const directed = await readDirectedRuns(context, parts);
  const { runs, nodes } = directed;
  if (target === "") return { answer: askForTarget(directed, context.now) };
  if (target.toLowerCase() === "all") return stopRuns(listTopUnfinished(nodes), context, parts);
  const chosen = chooseRun(directed, target, context.now);
  if (chosen.kind === "none") return { answer: chosen.answer };
  const { run } = chosen;
  if (isUnfinished(run)) return stopRuns([run], context, parts);
  const others = runs.filter((other) => isUnfinished(other) && other.childSessionKey === run.childSessionKey);
  return others.length > 0 ? stopRuns(others, context, parts) : stopRest(run, context, parts);
}

function askForTarget({ runs }: DirectedRuns, now: number): string {
  const unfinished = runs.filter(isUnfinished);
  if (unfinished.length === 0)
    return runs.length === 0 ? NO_RUNS : "Nothing is at work here; there is nothing to stop.";
  return ["Which one? `/kill 1`, `/kill <name>` or `/kill all`:", formatRunRows(runs, now)].join("\n");
}

async function stopRuns(
  runs: readonly RunRecord[],
  { address, body, answers }: CommandContext,
  parts: SubagentParts,
): Promise<CommandDecision> {
  if (runs.length === 0) return { answer: "Nothing is at work here; there is nothing to stop." };
  const rows = await Promise.all(runs.map(({ runId }) => parts.store.read.run(runId)));
  const halted = await haltBeside(runs, parts);
  const error = `It was stopped by ${namePerson(body.sender)}.`;
  const cause = { reason: "killed", error, by: "command", spokenAt: address } as const;
  const prepared = await prepareOrGiveBack(
    { runs: rows.filter((row) => row !== undefined), ...cause, answers },
    halted,
    parts,
  );
  const beside = halted === undefined ? "" : ` The answer that it was making is stopped, too.${tellWaiting(halted)}`;
  return { answer: tellStopped(runs, prepared) + beside, effect: buildKillEffect(prepared, halted, parts) };
}

/** One sub-agent is stopped as a whole: what it answers people in its thread meanwhile as well. */
async function haltBeside(runs: readonly RunRecord[], parts: SubagentParts): Promise<HaltedTurn | undefined> {
  const [key, ...others] = new Set(runs.map(({ childSessionKey }) => childSessionKey));
  if (key === undefined || others.length > 0) return undefined;
  const open = await parts.store.read.runs({ childSessionKey: key, states: UNFINISHED_STATES, limit: runs.length + 1 });
  return open.length > runs.length ? undefined : haltOwnTurn(key, parts);
}

async function prepareOrGiveBack(
  request: EndRequest,
  halted: HaltedTurn | undefined,
  parts: SubagentParts,
): Promise<PreparedEnds> {
  try {
    return await prepareEnds(request, parts);
  } catch (error) {
    await giveTurnsBack(halted?.stopped ?? [], parts);
    throw error;
  }
}

/** A sub-agent whose tasks are done may still answer people in its thread, and have others at work for that. */
async function stopRest(
  run: RunRecord,
  { now, answers }: CommandContext,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const key = run.childSessionKey;
  const halted = await haltOwnTurn(key, parts);
  const cause = { reason: "killed", error: "What had asked for it was stopped.", by: "cascade" } as const;
  const prepared = await prepareOrGiveBack({ runs: [], closed: [key], ...cause, answers }, halted, parts);
  const state = `${boldRun(run)} is ${describeState(run, now)}.`;
  const below = prepared.effect.ends.length;
  if (halted === undefined && below === 0)
    return { answer: `Nothing to stop: ${state}${tellWaiting(await parts.store.read.lane(key))}` };
  const stopped = [
    ...(halted === undefined ? [] : ["the answer that it was making"]),
    ...(below === 0 ? [] : [countOf(below, "sub-agent below it", "sub-agents below it")]),
  ];
  const answer = `${state} Stopped: ${stopped.join(" and ")}.${halted === undefined ? "" : tellWaiting(halted)}`;
  return { answer, effect: buildKillEffect(prepared, halted, parts) };
}

function tellWaiting({ waiting }: Pick<HaltedTurn, "waiting">): string {
  if (waiting === 0) return "";
  return ` ${countOf(waiting, "message still waits", "messages still wait")} and will be answered.`;
}

function buildKillEffect(prepared: PreparedEnds, halted: HaltedTurn | undefined, parts: RunParts): CommandEffect {
  const ends = buildEndsEffect(prepared, parts);
  if (halted === undefined) return ends;
  return {
    written: { ...ends.written, stop: halted.stop },
    async settle(wakes) {
      await ends.settle(wakes);
      await countHalted(halted.stop.lane, halted.turn, parts);
      parts.wakeLanes([halted.stop.lane]);
      // What the turn had asked somebody is withdrawn.
      parts.wakeTimers();
    },
    async abandon() {
      await ends.abandon();
      await giveTurnsBack(halted.stopped, parts);
    },
  };
}

/** `Stopped **words 1/3** and 2 below it.` */
function tellStopped(runs: readonly RunRecord[], { effect }: PreparedEnds): string {
  const named = new Set(runs.map(({ runId }) => runId));
  const below = effect.ends.filter(({ runId }) => !named.has(runId)).length;
  const what = runs.map(boldRun).join(", ");
  if (below === 0) return `Stopped ${what}.`;
  return `Stopped ${what} and ${below} below ${runs.length === 1 ? "it" : "them"}.`;
}

/** A name that somebody gave himself: short, on one line, and without what would end a sentence's quotes. */
function namePerson({ id, displayName }: CommandContext["body"]["sender"]): string {
  const name = formatPlainLine(displayName ?? id).replaceAll(/["“”„`*_[\]<>]/g, "");
  return name.slice(0, LONGEST_PERSON_CHARS).toWellFormed().trim() || "somebody";
}
