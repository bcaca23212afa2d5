/** What has become of a question: read from the message that asks it and the entries of the item that it belongs to. */
import type { DeliveryQuestion, DeliveryRow, Store } from "@banyan/store";
import { parseDeliveryBody } from "../outbound/queued-delivery.ts";
import { parseEntry } from "../sessions/transcript.ts";
import { type AnswerPart, buildQuestionDeliveryId } from "./question.ts";

type EntryReads = Pick<Store["read"], "entriesOfItem">;
type Reads = EntryReads & Pick<Store["read"], "delivery" | "item">;

export interface AskedBefore {
  readonly isAsked: boolean;
  /** Questions of the turn so far. */
  readonly count: number;
  readonly answer?: AnswerPart;
}

export interface StoredQuestion {
  readonly question: DeliveryQuestion;
  /** The part that has the buttons. */
  readonly lastRow: DeliveryRow | undefined;
  readonly answer?: AnswerPart;
  /** The turn that asked is not over: it waits, or runs again soon. */
  readonly isOpen: boolean;
}

export async function readQuestion(read: Reads, questionId: string): Promise<StoredQuestion | undefined> {
  const deliveryId = buildQuestionDeliveryId(questionId);
  const first = await read.delivery(`${deliveryId}.0`);
  const question = first === undefined ? undefined : parseDeliveryBody(first.body).question;
  if (first === undefined || question === undefined) return undefined;
  const [lastRow, item, answer] = await Promise.all([
    first.of === 1 ? first : read.delivery(`${deliveryId}.${first.of - 1}`),
    read.item(question.itemSeq),
    findAnswer(read, question.itemSeq, questionId),
  ]);
  // What is only appended, behind a stop, asks nobody.
  const isAwaited = (item?.state === "waiting" || item?.state === "active") && item.wake !== "append";
  const isOpen = answer === undefined && isAwaited;
  return { question, lastRow, isOpen, ...(answer === undefined ? {} : { answer }) };
}

/** The first answer to a question of an item's turn. */
export async function findAnswer(
  read: EntryReads,
  itemSeq: number,
  questionId: string,
): Promise<AnswerPart | undefined> {
  return (await readAsked(read, itemSeq, questionId)).answer;
}

/** Whether the turn of the item has asked it, in this attempt or an earlier one, and what was answered. */
export async function readAsked(read: EntryReads, itemSeq: number, questionId: string): Promise<AskedBefore> {
  const parts = (await read.entriesOfItem({ itemSeq })).map(parseEntry).flatMap(({ content }) => content);
  const answer = parts.flatMap((part) => (part.type === "answer" && part.id === questionId ? [part] : []))[0];
  const isAsked = parts.some((part) => part.type === "question" && part.id === questionId);
  const count = parts.filter((part) => part.type === "question").length;
  return { isAsked, count, ...(answer === undefined ? {} : { answer }) };
}
