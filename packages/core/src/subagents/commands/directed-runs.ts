import type { StoreReads } from "@banyan/store";
import type { CommandContext } from "../../commands/command.ts";
import { formatPlainLine } from "../../ports/plain-text.ts";
import { readRunTree } from "../../runs/read-run-tree.ts";
import { isUnfinished, RUN_STATUS_WORDS, type RunRecord } from "../../runs/run-record.ts";
import { listRunsByAge, type RunNode } from "../../runs/run-tree.ts";
import { findDirectedRun } from "../direct/find-directed-run.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { boldRun, formatRunRows } from "./run-rows.ts";

/** Nobody types a number beyond it. */
const MOST_RUNS = 1_000;
const LONGEST_TARGET_CHARS = 60;

/** What a person may direct from a conversation: the sub-agents below its session, and no other. */
export interface DirectedRuns {
  readonly nodes: readonly RunNode[];
  /** By creation: the numbers by which people name them. */
  readonly runs: readonly RunRecord[];
}

export const NO_RUNS = "There is no sub-agent in this conversation. `/spawn <task>` starts one.";

/** Without what the command itself has reserved before it was cut off: it means the same ones when it is decided again. */
export async function readDirectedRuns(
  { record, seq }: Pick<CommandContext, "record" | "seq">,
  { store, findLiveNote: findNote }: Pick<SubagentParts, "store" | "findLiveNote">,
): Promise<DirectedRuns> {
  const { nodes } = await readRunTree(store.read, { sessionKey: record.key, mostRuns: MOST_RUNS, findNote });
  return { nodes, runs: listRunsByAge(nodes).filter(({ spawnSeq }) => spawnSeq !== seq) };
}

export type ChosenRun =
  | { readonly kind: "chosen"; readonly run: RunRecord }
  /** A sentence and what could have been meant. Markdown. */
  | { readonly kind: "none"; readonly answer: string };

/** The run that a person means. */
export function chooseRun({ runs }: DirectedRuns, target: string, now: number): ChosenRun {
  if (runs.length === 0) return { kind: "none", answer: NO_RUNS };
  const found = findDirectedRun(runs, target.replace(/^#(?=\d)/, ""));
  if (found.status === "found") return { kind: "chosen", run: found.run };
  const shown = quoteTarget(target);
  if (found.status === "none")
    return {
      kind: "none",
      answer: [`Nothing here is called ${shown}. There is:`, formatRunRows(runs, now)].join("\n"),
    };
  const numbers = found.candidates.map((run) => `${runs.indexOf(run) + 1} (${RUN_STATUS_WORDS[run.status]})`);
  return {
    kind: "none",
    answer: `Several are called ${shown}: number ${numbers.join(", ")}. Say which by its number.`,
  };
}

/** Why nobody can talk with a sub-agent: its session does not stand yet, or stands no more. */
export async function explainUnreachable(
  { childSessionKey, state, body, name }: RunRecord,
  read: Pick<StoreReads, "session">,
): Promise<string | undefined> {
  if (state === "reserved" && body.source !== "send")
    return `${boldRun({ name })} is not open yet; try again in a moment.`;
  const session = await read.session(childSessionKey);
  if (session !== undefined && session.archivedAtMs === undefined) return undefined;
  return `The conversation of ${boldRun({ name })} is archived; \`/spawn\` starts a new one.`;
}

/** The unfinished ones that no unfinished one stands above: with them goes everything. */
export function listTopUnfinished(nodes: readonly RunNode[]): readonly RunRecord[] {
  return nodes.flatMap(({ run, children }) => (isUnfinished(run) ? [run] : listTopUnfinished(children)));
}

function quoteTarget(target: string): string {
  const line = formatPlainLine(target).replaceAll("`", "'");
  const short = line.length > LONGEST_TARGET_CHARS ? `${line.slice(0, LONGEST_TARGET_CHARS).toWellFormed()}…` : line;
  return `\`${short}\``;
}
