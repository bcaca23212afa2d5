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

/** Begins a message that may stand in the chat already. It fits into the units that the splitter keeps free. */
const REPEAT_MARK = "(may be repeated)\n";

/** A delivery as the outbox holds it in memory. */
export interface QueuedDelivery extends DeliveryIdentity {
  policy: DeliveryPolicy;
  /** Attempts begun so far. */
  attempts: number;
  /** The row is already `sending` in this process's name. */
  isSending: boolean;
  maybeRepeated: boolean;
  /** The platform's id of the message that was sent to be edited into this one. */
  anchorId?: string;
  /** Never after its first attempt began. */
  readonly createdAtMs: number;
}

/** A row whose writing was just committed. */
export function queueNew(row: NewDelivery, now: number): QueuedDelivery {
  const isSending = row.sendingOwner !== undefined;
  return { ...row, attempts: isSending ? 1 : 0, isSending, maybeRepeated: false, createdAtMs: now };
}

export function queueStored(row: DeliveryRow): QueuedDelivery {
  return { ...row, isSending: false };
}

/** The row that this one goes behind: of the part before it, or of the message that a `status` calls attention to. */
export function earlierPartId(row: Pick<QueuedDelivery, "deliveryId" | "part" | "kind" | "body">): string | undefined {
  if (row.part > 0) return `${row.deliveryId}.${row.part - 1}`;
  return row.kind === "status" ? parseDeliveryBody(row.body).behind : undefined;
}

/** What is sent first, to be edited into the row's own message. */
export function buildPlaceholder(row: QueuedDelivery): OutboundMessage {
  const { placeholder: text = "…" } = parseDeliveryBody(row.body);
  const { turnId: _, replyTo: __, ...message } = buildMessage({ ...row, maybeRepeated: false }, { text });
  return { ...message, deliveryId: `${row.deliveryId}|anchor`, kind: "status", mayHaveArrived: row.maybeRepeated };
}

/** `editing`: the platform's id of the message that it is edited into, so that a repeat leaves no trace. */
export type Attempted = QueuedDelivery & { readonly editing?: string };

/** The message of the attempt that runs now. */
export function buildOutboundMessage(row: Attempted, files?: Pick<OutgoingFiles, "open">): OutboundMessage {
  const body = parseDeliveryBody(row.body);
  const message = buildMessage(row, body);
  return body.file === undefined || files === undefined ? message : { ...message, file: files.open(body.file) };
}

/** The row that holds the announcement of a completion's part. */
export function firstPartId({ deliveryId }: Pick<QueuedDelivery, "deliveryId">): string {
  return `${deliveryId}.0`;
}

/**
 * The same as taps are given it; `undefined` for a row that says of no run. `first` is the body of the message's first
 * part, for those behind it; `childThread` that of the child.
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

/** The body is our own writing, so it is not checked again. */
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

/** Somebody of another channel has no id here that a button could be bound to. */
function showQuestion({ channel }: Attempted, { id, choices, askedOf, expiresAt }: DeliveryQuestion): ShownQuestion {
  return {
    questionId: id,
    choices: choices.map(({ label, isAllowing }) => ({ label, isAllowing })),
    ...(askedOf.channel === channel ? { askedOf: askedOf.peer } : {}),
    expiresAt,
  };
}
