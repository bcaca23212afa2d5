import type { Completion, TranscriptEntry } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import { isVisible } from "../../runs/silent-answer.ts";
import { parseEntry } from "../../sessions/transcript.ts";
import type { ToolAnswer } from "../tools/tool-answer.ts";
import type { SentMessage } from "./sent-message.ts";

/** A result holds it, also where each character takes six bytes. What was sent to a `run` child comes whole by itself. */
const REPLY_LIMIT_CHARS = 12_000;

const COMES_AGAIN =
  "The same result also comes to you as a message. If you have reported it by then, answer that message with NO_REPLY alone.";

type Reads = Pick<StoreReads, "run" | "itemByDedupe" | "entriesOfItem">;

/** What became of a message; `undefined`: its turn is not over. */
export function readReply(sent: SentMessage, read: Reads): Promise<ToolAnswer | undefined> {
  return sent.kind === "run" ? readRunReply(sent.runId, read) : readTurnReply(sent.dedupe, read);
}

async function readRunReply(runId: string, read: Reads): Promise<ToolAnswer | undefined> {
  const run = await read.run(runId);
  if (run !== undefined && run.state !== "ended") return undefined;
  if (run?.result === undefined) return fail("its run is gone; look at the session's history", runId);
  const completion: Completion = JSON.parse(run.result);
  if (completion.outcome === "done") return reply(completion.result, runId);
  return fail(`its run ended as ${completion.outcome}: ${completion.error ?? "no reason was given"}`, runId);
}

async function readTurnReply(dedupe: string, read: Reads): Promise<ToolAnswer | undefined> {
  const item = await read.itemByDedupe(dedupe);
  if (item === undefined) return fail("its turn is gone; look at the session's history");
  if (item.state === "quarantined") return fail("its turn was cut off too often and set aside");
  if (item.state !== "done") return undefined;
  const entries = (await read.entriesOfItem({ itemSeq: item.seq })).map(parseEntry);
  const answer = entries.findLast(({ kind, role }) => kind === "message" && role === "assistant");
  const notice = entries.find(({ kind }) => kind === "notice");
  if (notice !== undefined) return fail(readText(notice));
  if (answer === undefined) return fail("its turn ended without an answer");
  if (answer.stopReason === "stopped") return fail("its turn was stopped");
  const text = readText(answer);
  return reply(isVisible(text) ? text : "");
}

function readText({ content }: TranscriptEntry): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function reply(text: string, runId?: string): ToolAnswer {
  const notice = `… (cut: ${text.length} characters)`;
  const isLong = text.length > REPLY_LIMIT_CHARS;
  const shown = isLong ? text.slice(0, REPLY_LIMIT_CHARS - notice.length).toWellFormed() + notice : text;
  return {
    status: "replied",
    ...(runId === undefined ? {} : { runId }),
    reply: shown,
    ...(runId === undefined ? {} : { note: COMES_AGAIN }),
  };
}

function fail(problem: string, runId?: string): ToolAnswer {
  const run = runId === undefined ? {} : { runId };
  return { status: "error", ...run, error: `The message arrived, but there is no reply: ${problem}` };
}
