import { type ContentPart, formatAnswer, type TranscriptEntry } from "@banyan/plugin-sdk";
import { isUnfinished } from "@banyan/store";
import type { CommandContext } from "../../commands/command.ts";
import { formatPlainLine } from "../../ports/plain-text.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { parseSessionRow } from "../../sessions/session-record.ts";
import { parseEntry } from "../../sessions/transcript.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { boldRun, describeState, fence } from "./run-rows.ts";

const MOST_LINES = 15;
/** More than there are lines, because some entries are not for people. */
const MOST_ENTRIES = 60;
const LINE_CHARS = 160;
/** What a line is made of is read no further. */
const PART_CHARS = 4_000;

/**
 * The last lines of a sub-agent's transcript, each cut to one line: what was said, and which tools it used; and what it
 * says just now.
 */
export async function readRunLog(
  run: RunRecord,
  { now }: CommandContext,
  { store, ports }: SubagentParts,
): Promise<string> {
  const row = await store.read.session(run.childSessionKey);
  const head = `${boldRun(run)} · ${describeState(run, now)}`;
  if (row === undefined) return `${head}\nIts transcript is gone.`;
  const { sessionId } = parseSessionRow(row).entry;
  const rows = await store.read.entries({ sessionId, limit: MOST_ENTRIES, newest: true });
  const written = rows.map(parseEntry).flatMap((entry) => listLines(entry, run.body.agentId));
  // What is said by a turn is written with its end.
  const live = isUnfinished(run) && run.note !== undefined ? [`${run.body.agentId}: ${run.note} …`] : [];
  const lines = [...written, ...live];
  if (lines.length === 0) return `${head}\nIt has said nothing yet.`;
  // A secret that is cut in two is not known as one any more.
  const shown = lines.slice(-MOST_LINES).map((line) => cut(formatPlainLine(ports.scrub(line))));
  return [head, fence(shown)].join("\n");
}

function listLines(entry: TranscriptEntry, agentId: string): readonly string[] {
  const { kind, role, content, sender } = entry;
  if (kind === "injection" || kind === "compaction") return [];
  if (kind === "reset") return ["- a new conversation -"];
  const who =
    role === "assistant" ? agentId : role === "system" ? "host" : (sender?.displayName ?? sender?.id ?? "task");
  return content.filter(isForPeople).map((part) => formatPart(part, who));
}

function isForPeople(part: ContentPart): boolean {
  return part.type !== "text" || part.audience === undefined || part.audience.includes("user");
}

/** Of a tool's output its first line: it may be as long as a file. */
function formatPart(part: ContentPart, who: string): string {
  switch (part.type) {
    case "text":
      return `${who}: ${part.text.slice(0, PART_CHARS)}`;
    case "tool_call":
      return `${who} uses ${part.name}`;
    case "tool_result":
      return `${part.name}${part.isError ? " failed" : ""}: ${part.text.slice(0, PART_CHARS).trim().split("\n", 1).join("")}`;
    case "interruption":
      return `${who}: ${part.text}`;
    case "question":
      return `${who} asks: ${part.text.slice(0, PART_CHARS).trim().split("\n", 1).join("")}`;
    case "answer":
      return formatAnswer(part);
    case "completion":
      return `${part.completion.label ?? "sub-agent"} ${part.completion.outcome}: ${part.completion.result.slice(0, PART_CHARS)}`;
  }
}

function cut(line: string): string {
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS).toWellFormed()}…` : line;
}
