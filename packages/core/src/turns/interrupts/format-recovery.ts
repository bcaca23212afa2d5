/** What an agent reads of the turns that were cut off before its own. Pure. */
import { formatSpeaker, type SessionInterruption, type ToolCall, type TranscriptEntry } from "@banyan/plugin-sdk";
import { readCommittedCalls } from "../turn-tools.ts";

const LABEL = "what was cut off";
/** Of one message, one result, one call's arguments. */
const SHORT_CHARS = 300;
/** Of what it had said: the end, behind which it would have gone on. */
const SAID_CHARS = 2_000;
const MOST_CALLS = 30;
/** Of all turns together, the latest first: no model leaves it out, however small its window. */
const TEXT_CHARS = 16_000;

const HEAD = {
  here: "A newer message took the place of this turn before it was finished; its answer was not sent. What it has done is done: do it again only where it is asked for again.",
  checkpoint:
    "A newer message took the place of this turn before it was finished; its answer was not sent, and the conversation was set back to where it began. What its calls have done is done all the same: do it again only where it is asked for again.",
} as const;

export interface RecoveryPlace extends Pick<SessionInterruption, "isSetBack"> {
  /** Whoever writes now; what others had asked for stands under their names. */
  readonly speakerId: string;
}

/** `turns`: the entries of each turn that was cut off, the latest last. */
export function formatRecovery(
  turns: readonly (readonly TranscriptEntry[])[],
  place: RecoveryPlace,
): { readonly label: string; readonly text: string } {
  const texts = turns.map((entries) => formatTurn(entries, place));
  let room = TEXT_CHARS;
  const isFit = (text: string) => {
    room -= text.length;
    return room >= 0;
  };
  const left = texts.findLastIndex((text) => !isFit(text)) + 1;
  // The latest is told in any case, as far as there is room.
  const shown =
    left === texts.length ? texts.slice(-1).map((text) => text.slice(0, TEXT_CHARS).toWellFormed()) : texts.slice(left);
  const more = texts.length - shown.length;
  return {
    label: LABEL,
    text: [...(more > 0 ? [`(${more} turns before were cut off as well.)`] : []), ...shown].join("\n\n"),
  };
}

function formatTurn(entries: readonly TranscriptEntry[], { isSetBack, speakerId }: RecoveryPlace): string {
  const asked = entries.filter(({ role }) => role === "user").map((entry) => formatAsked(entry, speakerId));
  const said = entries.map((entry) => (entry.role === "assistant" ? readText(entry) : "")).join("");
  const done = readCommittedCalls(entries);
  const lost = listLostCalls(
    entries,
    done.map(({ ordinal }) => ordinal),
  );
  const results = done.slice(-MOST_CALLS).map(({ name, args, result }) => {
    const end = isSetBack ? "" : `${result.isError ? " failed" : ""}: ${shorten(result.text)}`;
    return `- ${formatCall({ name, args })}${end}`;
  });
  const more = done.length - results.length;
  return [
    isSetBack ? HEAD.checkpoint : HEAD.here,
    `It was asked: ${asked.join(", then ")}`,
    ...(said.trim() === "" || isSetBack ? [] : [`It had said: ${keepEnd(said)}`]),
    ...(results.length === 0 ? [] : ["Its calls:", ...(more > 0 ? [`- … (${more} before these)`] : []), ...results]),
    ...(lost.length === 0 ? [] : ["Calls under way whose effects are unknown; check before you repeat one:"]),
    ...lost.map((call) => `- ${formatCall(call)}`),
  ].join("\n");
}

/** Only a call that cannot be repeated is written before it runs. */
function listLostCalls(entries: readonly TranscriptEntry[], ended: readonly number[]): readonly ToolCall[] {
  const calls = entries.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool_call" ? [part] : [])));
  return calls.filter(({ ordinal }) => !ended.includes(ordinal));
}

function formatAsked(entry: TranscriptEntry, speakerId: string): string {
  const { sender } = entry;
  const who = sender === undefined || sender.id === speakerId ? "" : ` by ${formatSpeaker(sender)}`;
  return `“${shorten(readText(entry))}”${who}`;
}

function readText({ content }: TranscriptEntry): string {
  return content
    .map((part) => (part.type === "text" ? part.text : part.type === "completion" ? part.completion.result : ""))
    .join("");
}

function formatCall({ name, args }: Pick<ToolCall, "name" | "args">): string {
  return `${name} ${shorten(JSON.stringify(args) ?? "")}`.trimEnd();
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > SHORT_CHARS ? `${line.slice(0, SHORT_CHARS).toWellFormed()}…` : line;
}

function keepEnd(text: string): string {
  const whole = text.trim();
  return whole.length > SAID_CHARS ? `…${whole.slice(-SAID_CHARS).toWellFormed()}` : whole;
}
