import { type Completion, formatDuration, formatStats } from "@banyan/plugin-sdk";
import type { CommandContext } from "../../commands/command.ts";
import { formatPlainText } from "../../ports/plain-text.ts";
import { isChildSession } from "../../runs/read-told-session.ts";
import { isUnfinished, parseRunRow, type RunRecord } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { readOwnRun } from "./own-run.ts";
import { boldRun, describeState } from "./run-rows.ts";

const TASK_CHARS = 300;
const RESULT_CHARS = 700;

/** Everything about a run that a chat has room for. */
export async function formatRunInfo(
  { runId, note }: RunRecord,
  { now, record }: CommandContext,
  { store, ports }: SubagentParts,
): Promise<string> {
  const row = await store.read.run(runId);
  if (row === undefined) return "It is gone now.";
  const run = parseRunRow(row);
  const { body, completion, childSessionKey } = run;
  const threads = (await store.read.bindings({ sessionKey: childSessionKey })).filter(({ kind }) => kind === "thread");
  const above = run.requesterSessionKey === record.key ? [] : await nameRequester(run, store.read);
  const quote = (text: string, most: number) => quoteText(ports.scrub(text), most);
  return [
    `${boldRun(run)} · ${describeState(run, now)}`,
    `- agent **${body.agentId}**, mode ${body.mode}${body.model === undefined ? "" : `, model \`${body.model}\``}`,
    `- ${listTimes(run, now)}`,
    ...(hasFigures(completion) ? [`- ${formatStats(completion)}`] : []),
    ...above,
    ...threads.map(({ address }) => `- its thread is \`${address}\``),
    `- run \`${run.runId}\``,
    `- session \`${childSessionKey}\``,
    "",
    "Its task:",
    quote(body.task, TASK_CHARS),
    ...(completion?.error === undefined ? [] : ["", completion.error]),
    ...(completion === undefined || completion.result === ""
      ? []
      : ["", "Its result:", quote(completion.result, RESULT_CHARS)]),
    ...(isUnfinished(run) && note !== undefined ? ["", "It says just now:", quote(note, RESULT_CHARS)] : []),
    ...(isUnfinished(run) ? ["", tellHow(run)] : []),
  ].join("\n");
}

/** Its time stands in the first line already. */
function hasFigures(completion: Completion | undefined): completion is Completion {
  return completion?.totalTokens !== undefined || completion?.costUsd !== undefined;
}

/** What there is now, and that the rest comes by itself. */
export function tellWhenDone(run: RunRecord, now: number): string {
  const state = `${boldRun(run)} is ${describeState(run, now)}.`;
  return isUnfinished(run) ? `${state} ${tellHow(run)}` : `${state} \`/subagents info\` shows its result.`;
}

function tellHow({ body, requesterSessionKey }: RunRecord): string {
  if (!body.expectsCompletionMessage) return "Its end is not announced; `/subagents info` shows it.";
  if (isChildSession(requesterSessionKey)) return "Its result goes to the sub-agent that asked for it.";
  return body.announce === "direct"
    ? "Its result comes here by itself; there is no need to wait."
    : "Its result goes to the agent, which reports it here by itself.";
}

async function nameRequester(run: RunRecord, read: SubagentParts["store"]["read"]): Promise<readonly string[]> {
  const above = await readOwnRun(run.requesterSessionKey, read);
  return above === undefined ? [] : [`- asked for by ${boldRun(above)}`];
}

function listTimes({ createdAtMs, startedAtMs, endedAtMs }: RunRecord, now: number): string {
  const ago = (at: number) => `${formatDuration(now - at)} ago`;
  return [
    `asked for ${ago(createdAtMs)}`,
    ...(startedAtMs === undefined ? [] : [`began ${ago(startedAtMs)}`]),
    ...(endedAtMs === undefined ? [] : [`ended ${ago(endedAtMs)}`]),
  ].join(", ");
}

/** As a quotation: whoever wrote it, it is set apart from what the host says. */
function quoteText(text: string, most: number): string {
  const plain = formatPlainText(text).trim();
  const short = plain.length > most ? `${plain.slice(0, most).toWellFormed()}…` : plain;
  return short
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
