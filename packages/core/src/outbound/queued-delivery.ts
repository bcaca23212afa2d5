import {
  type Address,
  type Announcement,
  type DeliveryPolicy,
  isAddress,
  type OutboundMessage,
  type ShownQuestion,
} from "@banyan/plugin-sdk";
import type { DeliveryBody, DeliveryIdentity, DeliveryQuestion, DeliveryRow, NewDelivery } from "@banyan/store";
import type { OutgoingFiles } from "./outgoing-files.ts";

/** Begins a message that may be in the chat already. It fits into the units that the splitter keeps free. */
const REPEAT_MARK = "(may be repeated)\n";

/** A delivery in the memory of the outbox. */
export interface QueuedDelivery extends DeliveryIdentity {
  policy: DeliveryPolicy;
  /** The number of attempts that have begun. */
  attempts: number;
  /** The row is stored as `sending` by this process. */
  isSending: boolean;
  maybeRepeated: boolean;
  /** The platform's id of the message that was sent first, to be edited into this one. */
  anchorId?: string;
  /** Milliseconds since the epoch. Not later than the beginning of the first attempt. */
  readonly createdAtMs: number;
}

/** Builds the delivery of a row that was just stored. */
export function queueNew(row: NewDelivery, now: number): QueuedDelivery {
  const isSending = row.sendingOwner !== undefined;
  return { ...row, attempts: isSending ? 1 : 0, isSending, maybeRepeated: false, createdAtMs: now };
}

export function queueStored(row: DeliveryRow): QueuedDelivery {
  return { ...row, isSending: false };
}

/** The id of the row that this one follows: the part before it, or the message that a `status` points to. */
export function earlierPartId(row: Pick<QueuedDelivery, "deliveryId" | "part" | "kind" | "body">): string | undefined {
  if (row.part > 0) return `${row.deliveryId}.${row.part - 1}`;
  return row.kind === "status" ? parseDeliveryBody(row.body).behind : undefined;
}

/** Builds the message that is sent first, to be edited into the row's message. */
export function buildPlaceholder(row: QueuedDelivery): OutboundMessage {
  const { placeholder: text = "…" } = parseDeliveryBody(row.body);
  const { turnId: _, replyTo: __, ...message } = buildMessage({ ...row, maybeRepeated: false }, { text });
  return { ...message, deliveryId: `${row.deliveryId}|anchor`, kind: "status", mayHaveArrived: row.maybeRepeated };
}

/** `editing`: the platform's id of the message that is edited into it, so that a repeat leaves no trace. */
export type Attempted = QueuedDelivery & { readonly editing?: string };

/** Builds the message of the current attempt. */
export function buildOutboundMessage(row: Attempted, files?: Pick<OutgoingFiles, "open">): OutboundMessage {
  const body = parseDeliveryBody(row.body);
  const message = buildMessage(row, body);
  return body.file === undefined || files === undefined ? message : { ...message, file: files.open(body.file) };
}

/** The id of the row that has the announcement for all parts of a completion. */
export function firstPartId({ deliveryId }: Pick<QueuedDelivery, "deliveryId">): string {
  return `${deliveryId}.0`;
}

/**
 * Builds the same message for taps. `undefined`: the row is not about a run. `first`: the body of the message's first part,
 * which later parts need. `childThread`: the thread of the child.
 */
export function buildAnnouncement(
  row: Attempted,
  first: DeliveryBody,
  childThread: Address | undefined,
): Announcement | undefined {
  const body = row.part === 0 ? first : parseDeliveryBody(row.body);
  const { announcement } = first;
  if (announcement === undefined || row.sessionKey === undefined) return undefined;
  const { runId, childSessionKey, completion } = announcement;
  const { deliveryId: id, address: target, text, replyTo, turnId, ...message } = buildMessage(row, body);
  const { part, of, attempt, createdAt, mayHaveArrived } = message;
  return {
    delivery: {
      id,
      part,
      of,
      attempt,
      createdAt,
      mayHaveArrived,
      ...(row.editing === undefined ? {} : { anchorId: row.editing }),
    },
    completion,
    target,
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(turnId === undefined ? {} : { turnId }),
    requesterSessionKey: row.sessionKey,
    childSessionKey,
    runId,
    ...(childThread === undefined ? {} : { childThread }),
  };
}

/** Core has written the body, so it is not checked again. */
export function parseDeliveryBody(body: string): DeliveryBody {
  return JSON.parse(body);
}

function buildMessage(row: Attempted, body: DeliveryBody): OutboundMessage {
  if (!isAddress(row.address))
    throw new TypeError(`The delivery ${row.id} was read: its address ${row.address} is none`);
  const isMarked = row.maybeRepeated && row.policy !== "effectively-once" && row.editing === undefined;
  return {
    deliveryId: row.deliveryId,
    part: row.part,
    of: row.of,
    address: row.address,
    kind: row.kind,
    text: isMarked ? REPEAT_MARK + body.text : body.text,
    ...(isMarked ? { repeatMark: REPEAT_MARK } : {}),
    attempt: row.attempts,
    createdAt: row.createdAtMs,
    mayHaveArrived: row.maybeRepeated,
    ...(body.replyTo === undefined ? {} : { replyTo: body.replyTo }),
    ...(body.turnId === undefined ? {} : { turnId: body.turnId }),
    ...(body.question === undefined || row.part < row.of - 1 ? {} : { question: showQuestion(row, body.question) }),
  };
}

/** A person of another channel has no id here that a button could be bound to. */
function showQuestion({ channel }: Attempted, { id, choices, askedOf, expiresAt }: DeliveryQuestion): ShownQuestion {
  return {
    questionId: id,
    choices: choices.map(({ label, isAllowing }) => ({ label, isAllowing })),
    ...(askedOf.channel === channel ? { askedOf: askedOf.peer } : {}),
    expiresAt,
  };
}
