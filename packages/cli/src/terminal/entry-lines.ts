import { formatPlainLine, formatPlainText } from "@banyan/core";
import { type ContentPart, formatAnswer, formatCompletion, type TranscriptEntry, type Usage } from "@banyan/plugin-sdk";
import { shortenText } from "./plain-text.ts";

const INDENT = "  ";
/** Tool calls and their results are shown by their beginning; `--json` has them whole. */
const TOOL_LIMIT_CHARS = 160;

/** An entry of a transcript as people read it: when, who, what; further lines are indented below. */
export function formatEntryLines(entry: TranscriptEntry): readonly string[] {
  const [time = ""] = new Date(entry.timestamp).toISOString().replace("T", " ").split(".");
  const who = entry.sender?.displayName ?? entry.sender?.id ?? entry.role;
  const name = entry.kind === "message" ? who : entry.kind.replace("_", " ");
  const text = entry.kind === "usage" ? formatUsage(entry.usage) : entry.content.map(formatPart).join("\n");
  const [first = "", ...rest] = text.split("\n");
  return [`${INDENT}${time}  ${formatPlainLine(name)}: ${first}`, ...rest.map((line) => `${INDENT}${INDENT}${line}`)];
}

function formatUsage({ inputTokens, outputTokens }: Usage = {}): string {
  return `${inputTokens ?? "?"} tokens read and ${outputTokens ?? "?"} written, by an attempt that the gateway's stop cut short`;
}

function formatPart(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return formatPlainText(part.text).trimEnd();
    case "completion":
      return formatPlainText(formatCompletion(part.completion)).trimEnd();
    case "tool_call":
      return shortenText(formatPlainLine(`${part.name} ${JSON.stringify(part.args)}`), TOOL_LIMIT_CHARS);
    case "tool_result":
      return shortenText(
        formatPlainLine(`${part.name}${part.isError ? " failed" : ""}: ${part.text}`),
        TOOL_LIMIT_CHARS,
      );
    case "interruption":
      return formatPlainText(part.text);
    case "question":
      return shortenText(formatPlainLine(part.text), TOOL_LIMIT_CHARS);
    case "answer":
      return formatPlainLine(formatAnswer(part));
  }
}
