/** What a turn asks a person: its names, and how it is told. Pure. */
import { createHash } from "node:crypto";
import type { ChannelPeer, ContentPart, NewTranscriptEntry, PermissionRequest } from "@banyan/plugin-sdk";
import type { NewTimer } from "@banyan/store";

export const QUESTION_TIMER = "question";

/** Half of SHA-256 in base64url: it fits into the data of a button. */
const ID_CHARS = 22;
/** More is not read before it is allowed, so it is not asked. */
const TEXT_LIMIT_CHARS = 6_000;
const CHOICE_ID = /^[a-z0-9_-]{1,32}$/;
const MOST_CHOICES = 4;

export type AnswerPart = Extract<ContentPart, { type: "answer" }>;

/** The same in a later attempt of the turn: `name` is unique in it. */
export function buildQuestionId(itemSeq: number, name: string): string {
  return createHash("sha256").update(`${itemSeq}|${name}`).digest("base64url").slice(0, ID_CHARS);
}

/** Names the message that asks it, over all its parts. */
export function buildQuestionDeliveryId(questionId: string): string {
  return `question|${questionId}`;
}

/** One for each question, so that the first answer holds. */
function buildAnswerEntryId(questionId: string): string {
  return `answer|${questionId}`;
}

/** Due when nobody has answered in time, and when the message is to say what became of it. */
export function buildQuestionTimer(questionId: string, dueInMs: number): NewTimer {
  return { id: `${QUESTION_TIMER}|${questionId}`, kind: QUESTION_TIMER, subject: questionId, dueInMs };
}

/** While it is open: due as well when the turn that asks is over, whatever ends that. */
export function buildOpenQuestionTimer(questionId: string, dueInMs: number, itemSeq: number): NewTimer {
  return { ...buildQuestionTimer(questionId, dueInMs), itemSeq };
}

/** What is wrong with a request; `undefined` for one that can be asked. */
export function findRequestProblem({ text, choices }: PermissionRequest): string | undefined {
  if (text.trim() === "") return "it has no text";
  if (text.length > TEXT_LIMIT_CHARS)
    return `its text has ${text.length} characters, and ${TEXT_LIMIT_CHARS} is the most`;
  if (choices.length === 0 || choices.length > MOST_CHOICES)
    return `it has ${choices.length} choices instead of 1 to 4`;
  const ids = choices.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return `two of its choices have one id: ${ids.join(", ")}`;
  const odd = choices.find(({ id, label }) => !CHOICE_ID.test(id) || label.trim() === "");
  return odd === undefined ? undefined : `the choice ${JSON.stringify(odd.id)} has no plain id or no label`;
}

export interface QuestionFacts {
  readonly request: PermissionRequest;
  readonly askedOf: ChannelPeer;
  readonly answerMs: number;
  /** The channel shows buttons. */
  readonly hasButtons: boolean;
}

/** What is said in the chat. Where there are no buttons it says how to answer. */
export function formatQuestion({ request, askedOf, answerMs, hasButtons }: QuestionFacts): string {
  const { text, choices } = request;
  const who = askedOf.displayName ?? askedOf.peer;
  const limit = `Only ${who} can answer, within ${formatMinutes(answerMs)}; then it counts as Deny.`;
  const ways = choices.map(({ id, label }) => `\`/answer ${id}\` (${label})`).join(", ");
  return `${text.trim()}\n\n${hasButtons ? limit : `Answer with ${ways}. ${limit}`}`;
}

/** A message's text without the host's line, which says how to answer. */
export function cutAnswerLine(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf("\n\n")));
}

/** What the message says from then on. `closed`: nothing waits for the answer any more. */
export function formatEndedQuestion(asked: string, end: AnswerPart | "closed", label: string | undefined): string {
  return `${asked}\n\n${formatEnd(end, label)}`.trimStart();
}

function formatEnd(end: AnswerPart | "closed", label: string | undefined): string {
  if (end === "closed") return "_Not asked any more: the agent's turn has ended._";
  if (end.choice === undefined) return "_Nobody answered in time: that is a no._";
  const who = end.by?.displayName ?? end.by?.peer;
  return `**${label ?? end.choice}**${who === undefined ? "" : ` (${who})`}`;
}

export function buildQuestionEntry(
  stamp: { readonly id: string; readonly timestamp: number },
  part: Extract<ContentPart, { type: "question" }>,
): NewTranscriptEntry {
  return { ...stamp, kind: "question", role: "assistant", content: [part] };
}

export function buildAnswerEntry(timestamp: number, part: AnswerPart): NewTranscriptEntry {
  return { id: buildAnswerEntryId(part.id), timestamp, kind: "answer", role: "user", content: [part] };
}

function formatMinutes(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 1 ? `${Math.round(ms / 1_000)} s` : `${minutes} min`;
}
