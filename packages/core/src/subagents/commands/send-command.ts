import type { BindingRow, NewItem } from "@banyan/store";
import type { CommandContext, CommandDecision, CommandEffect } from "../../commands/command.ts";
import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { formatInnerBody } from "../../lanes/item-body.ts";
import { prepareSentRun } from "../../runs/prepare-sent-run.ts";
import { isUnfinished, type RunRecord } from "../../runs/run-record.ts";
import { buildSteerItem } from "../direct/steer-item.ts";
import { freeIfGone } from "../look-at-threads.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { takeTarget } from "./command-target.ts";
import { chooseRun, explainUnreachable, NO_RUNS, readDirectedRuns } from "./directed-runs.ts";
import { boldRun, formatRunRows } from "./run-rows.ts";

/**
 * A person writes to a sub-agent. One with a thread that can be written to hears it there and answers there; to another one it is a run of its
 * own, whose end is told here. `steer` is heard by the run at work, as that of an agent.
 */
export async function decideSend(
  context: CommandContext,
  line: string,
  { verb }: { readonly verb: "send" | "steer" },
  parts: SubagentParts,
): Promise<CommandDecision> {
  const { target, text } = takeTarget(line);
  const directed = await readDirectedRuns(context, parts);
  if (directed.runs.length === 0) return { answer: NO_RUNS };
  if (target === "") {
    const usage = `To whom, and what? \`/subagents ${verb} 1 <text>\`:`;
    return { answer: [usage, formatRunRows(directed.runs, context.now)].join("\n") };
  }
  const chosen = chooseRun(directed, target, context.now);
  if (chosen.kind === "none") return { answer: chosen.answer };
  const { run } = chosen;
  if (text === "")
    return { answer: `What shall I tell ${boldRun(run)}? \`/subagents ${verb} ${quote(target)} <text>\`` };
  const unreachable = await explainUnreachable(run, parts.store.read);
  if (unreachable !== undefined) return { answer: unreachable };
  if (verb === "steer") return steer(run, text, context, parts);
  const [thread] = (await parts.store.read.bindings({ sessionKey: run.childSessionKey })).filter(
    ({ kind }) => kind === "thread",
  );
  return thread === undefined || (await freeIfGone(thread, parts))
    ? sendRun(run, text, context, parts)
    : sendToThread(run, text, { thread, context, parts });
}

async function steer(
  run: RunRecord,
  text: string,
  context: CommandContext,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const name = boldRun(run);
  if (!isUnfinished(run))
    return { answer: `${name} is not at work, so there is nothing to steer. \`/subagents send\` gives it more to do.` };
  // A turn for a run that is not accepted could not be ended.
  if (run.state === "reserved") return { answer: `${name} is not open yet; try again in a moment.` };
  const { sender } = context.body;
  const item = await buildSteerItem(run, { id: `steer|${context.seq}|0`, text, sender, at: context.now }, parts);
  const answer = `Sent to ${name}, which gets it when its present turn is over: its result answers this, too.`;
  return { answer, effect: buildItemEffect(item, parts) };
}

/** One item of another lane, written with the command's end. */
function buildItemEffect(item: NewItem, parts: SubagentParts): CommandEffect {
  return {
    written: { items: [item] },
    settle: () => parts.wakeLanes([item.lane]),
    abandon: async () => undefined,
  };
}

function sendToThread(
  run: RunRecord,
  text: string,
  place: { readonly thread: BindingRow; readonly context: CommandContext; readonly parts: SubagentParts },
): CommandDecision {
  const { thread, context, parts } = place;
  const id = buildSendDedupe(context);
  const { childSessionKey: lane } = run;
  const body = formatInnerBody({ id, text, sender: context.body.sender, at: context.now });
  const item = { lane, dedupe: id, nativeId: id, kind: "nested", address: thread.address, body } as const;
  return { answer: `${tellOrder(run)} It answers in its thread.`, effect: buildItemEffect(item, parts) };
}

async function sendRun(
  run: RunRecord,
  text: string,
  context: CommandContext,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const { record, address, body, seq } = context;
  const rules = getSubagentRules(parts.agents[record.agentId]);
  const { maxTreeRuns: mostTreeRuns } = parts.limits;
  const asked = { requesterSessionKey: record.key, address, sender: body.sender, spawnSeq: seq };
  const prepared = await prepareSentRun(
    { run, text, dedupe: buildSendDedupe(context), ...asked, announce: "direct", rules, mostTreeRuns },
    parts,
  );
  if (prepared.kind === "refused") return { answer: explainRefusal(prepared.reason, run, rules.maxChildrenPerAgent) };
  const answer = `${tellOrder(run)} Its answer comes here.`;
  if (prepared.kind === "standing") return { answer };
  const { accept, onAccepted, undo } = prepared;
  return { answer, effect: { written: { accept }, settle: onAccepted, abandon: undo } };
}

function tellOrder(run: RunRecord): string {
  const name = boldRun(run);
  return isUnfinished(run) ? `Sent to ${name}, which gets it when its present turn is over.` : `Sent to ${name}.`;
}

function explainRefusal(reason: string, run: RunRecord, mostChildren: number): string {
  if (reason === "children" || reason === "tree") {
    const limit =
      reason === "children" ? `${mostChildren} sub-agents of this conversation` : "As many sub-agents as may be";
    return `⚠ ${limit} are at work already. Wait until one is done, or \`/kill\` one.`;
  }
  return `⚠ ${boldRun(run)} can be written to no more (${reason}).`;
}

function buildSendDedupe({ seq }: CommandContext): string {
  return `send|${seq}|0`;
}

function quote(target: string): string {
  return /\s/.test(target) ? `"${target}"` : target;
}
