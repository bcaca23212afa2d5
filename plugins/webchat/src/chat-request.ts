import { z } from "zod";

/** The most text one message may hold, in bytes of UTF-8. */
const TEXT_LIMIT_BYTES: number = 1024 * 1024;
/** JSON may write each byte of a text as `\u00xx`; the rest is room for the other fields. */
export const BODY_LIMIT_BYTES: number = 6 * TEXT_LIMIT_BYTES + 16 * 1024;
/** What one answer of history holds at most, in messages. */
const HISTORY_LIMIT_MESSAGES = 1_000;
/** The page and the terminal. */
const OPERATOR = "operator";

export interface NewMessage {
  readonly peer: string;
  /** Absent: the receiver makes one. */
  readonly id?: string | undefined;
  readonly text: string;
}

export interface HistoryQuery {
  readonly peer: string;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export interface EventQuery {
  readonly peer: string;
}

/** Ids and peers become parts of keys, addresses and log lines: printable, well-formed, short. */
const name: z.ZodType<string, string> = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "control characters and lone surrogates are not taken");

const newMessage: z.ZodType<NewMessage> = z.object({
  peer: name.default(OPERATOR),
  id: name.optional(),
  text: z
    .string()
    .refine((text) => text.trim() !== "", "it is empty")
    .refine((text) => text.isWellFormed(), "it holds a lone surrogate"),
});

const historyQuery: z.ZodType<HistoryQuery> = z.object({
  peer: name.default(OPERATOR),
  // "0" stands for the start, as scripts like to begin with it.
  after: z.union([z.enum(["", "0"]).transform(() => undefined), name]).optional(),
  limit: z.coerce.number().int().min(1).max(HISTORY_LIMIT_MESSAGES).optional(),
});

const eventQuery: z.ZodType<EventQuery> = z.object({ peer: name.default(OPERATOR) });

export type Parsed<Value> =
  | { readonly status: "ok"; readonly value: Value }
  | { readonly status: "invalid" | "too_large"; readonly error: string };

/** The body of `POST /messages`. */
export function parseNewMessage(bytes: Uint8Array): Parsed<NewMessage> {
  const shape = 'send {"text": "…", "peer": "operator", "id": "…"} as JSON in UTF-8; peer and id may be left out';
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const wrong = error instanceof SyntaxError ? "the body is no JSON" : "the body is no UTF-8";
    return { status: "invalid", error: `A message was posted: ${wrong}; ${shape}` };
  }
  const parsed = newMessage.safeParse(json);
  if (!parsed.success) return { status: "invalid", error: `A message was posted: ${describe(parsed.error)}; ${shape}` };
  const textBytes = Buffer.byteLength(parsed.data.text);
  if (textBytes > TEXT_LIMIT_BYTES) return { status: "too_large", error: describeLargeText(textBytes) };
  return { status: "ok", value: parsed.data };
}

/** The query of `GET /messages`. */
export function parseHistoryQuery(query: Readonly<Record<string, string>>): Parsed<HistoryQuery> {
  const parsed = historyQuery.safeParse(query);
  if (parsed.success) return { status: "ok", value: parsed.data };
  return { status: "invalid", error: `Messages were asked for: ${describe(parsed.error)}` };
}

/** The query of `GET /events`. */
export function parseEventQuery(query: Readonly<Record<string, string>>): Parsed<EventQuery> {
  const parsed = eventQuery.safeParse(query);
  if (parsed.success) return { status: "ok", value: parsed.data };
  return { status: "invalid", error: `Events were asked for: ${describe(parsed.error)}` };
}

export function describeLargeText(textBytes?: number): string {
  const received = textBytes === undefined ? "more than that was received" : `it has ${textBytes}`;
  return `A message was posted: its text may have ${TEXT_LIMIT_BYTES} bytes, ${received}; send it in parts`;
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join(".");
  return `${path ? `${path}: ` : ""}${issue?.message ?? "it cannot be read"}`;
}
