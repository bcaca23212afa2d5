import type { TurnMessage } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { formatCount } from "../demo-phrase.ts";
import { countFile, type FileCount } from "../words/file-count.ts";
import { type AttachedFile, findLatestFiles, readAttachedFiles } from "./attached-file.ts";

const NOTHING_SENT = "I have no file to count: send me one, or say count words in <dir>.";
/** The first line of what `save_attachment` answers. */
const SAVED = /^\[(.*): (\d+) bytes\]$/mu;

/** Counts the files of a message, or those that came last before it. */
export async function countAttached(turn: LiveTurn, message: TurnMessage): Promise<void> {
  const own = readAttachedFiles(message);
  const files = own.length > 0 ? own : findLatestFiles(await turn.waitFor(turn.input.history()));
  const lines: string[] = [];
  for (const file of files) lines.push(await describeCount(turn, file));
  await turn.say(lines.length === 0 ? NOTHING_SENT : lines.join("\n"));
}

/** What is said of files that came without a word. */
export function formatReceived(files: readonly AttachedFile[]): string {
  const names = files.map(({ name }) => name).join(", ");
  return `I got ${names}. Say count words in it, and I count the words.`;
}

async function describeCount(turn: LiveTurn, { id, name }: AttachedFile): Promise<string> {
  const saved = await turn.callTool("save_attachment", { id });
  if (saved.isError) return `I can't fetch ${name}: ${saved.text}`;
  const [, path, bytes] = SAVED.exec(saved.text) ?? [];
  if (path === undefined) return `I can't find where ${name} was saved.`;
  return `${name} ${formatEnd(await countFile(turn, { path, bytes: Number(bytes) }))}.`;
}

function formatEnd(count: FileCount): string {
  if (count.kind === "words") return `has ${formatCount(count.words, "word")}`;
  return count.kind === "binary" ? "is no text" : `is ${count.kind}`;
}
