import type { TimerRow } from "@banyan/store";
import type { AmendEnd } from "../../outbound/anchors/amend-message.ts";
import { parseDeliveryBody } from "../../outbound/queued-delivery.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import {
  buildAnswerEntry,
  buildOpenQuestionTimer,
  cutAnswerLine,
  formatEndedQuestion,
} from "../../questions/question.ts";
import { readQuestion, type StoredQuestion } from "../../questions/read-question.ts";
import { formatEntry } from "../../sessions/transcript.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { armAgain, decideNextPause, endTimer, rearmTimer } from "./due-timer.ts";
import { sayInstead } from "./say-instead.ts";

/** What is in the way of the message is over in a moment, mostly. */
const FIRST_PAUSE_MS = 500;

/**
 * A question's time is over, it was answered, or the turn that asked it has ended: nobody is heard any more, and its message
 * says what became of it.
 */
export async function endQuestion(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const { subject: id } = timer;
  const found = await readQuestion(parts.store.read, id);
  if (found === undefined) return endTimer(timer, parts);
  const now = parts.ports.clock.now();
  const { expiresAt, itemSeq } = found.question;
  if (found.isOpen && now < expiresAt)
    return armAgain(timer, buildOpenQuestionTimer(id, expiresAt - now, itemSeq), parts);
  const ended = found.isOpen ? await closeQuestion(id, found, parts) : found;
  const text = formatShownEnd(ended);
  const end = await showEnd(ended, text, parts);
  if (end === "refused" && ended.lastRow !== undefined) return sayInstead(timer, ended.lastRow, text, parts);
  if (end === "done" || end === "claimed" || end === "gone") return endTimer(timer, parts);
  // That it was waited for so long for an answer is no pause that was in vain.
  const pauseMs = timer.itemSeq === undefined ? decideNextPause(timer, FIRST_PAUSE_MS) : FIRST_PAUSE_MS;
  return pauseMs === undefined ? endTimer(timer, parts) : rearmTimer(timer, pauseMs, parts);
}

/** Nobody has answered, which is a no; an answer that came first holds. */
async function closeQuestion(id: string, found: StoredQuestion, parts: SubagentParts): Promise<StoredQuestion> {
  const { store, ports, signal, questions } = parts;
  const { itemSeq, sessionId } = found.question;
  const entry = formatEntry(buildAnswerEntry(ports.clock.now(), { type: "answer", id }));
  await commitPatiently(store, { step: "answer", itemSeq, sessionId, entry, arm: [] }, ports, signal);
  questions.settle(id);
  return (await readQuestion(store.read, id)) ?? found;
}

async function showEnd(
  { lastRow }: StoredQuestion,
  text: string,
  { outbox, canEdit }: SubagentParts,
): Promise<AmendEnd["kind"]> {
  if (lastRow === undefined || !canEdit(lastRow)) return "gone";
  if (lastRow.state === "undeliverable" || lastRow.state === "unknown") return "gone";
  if (lastRow.platformId === undefined) return "busy";
  return (await outbox.amend(lastRow, { text })).kind;
}

/** What the last part of its message says from then on. */
function formatShownEnd({ question, lastRow, answer }: StoredQuestion): string {
  const label = question.choices.find(({ id }) => id === answer?.choice)?.label;
  const asked = lastRow === undefined ? "" : cutAnswerLine(parseDeliveryBody(lastRow.body).text);
  return formatEndedQuestion(asked, answer ?? "closed", label);
}
