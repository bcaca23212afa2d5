import { z } from "zod";
import { formatReceivedValue } from "../../sessions/keys/received-value.ts";
import {
  findNameProblem,
  foldAttachmentName,
  normalizeAttachmentName,
} from "../../tools/attachments/attachment-name.ts";
import { MOST_ATTACHMENTS } from "./attachment-argument.ts";
import type { AttachmentProblemCode } from "./spawn-refusal.ts";

/** A file of a spawn: its name is one safe path segment. */
export interface CheckedAttachment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface AttachmentProblem {
  readonly kind: "problem";
  readonly code: AttachmentProblemCode;
  /** What was wrong, what was received, what to do. */
  readonly problem: string;
}

export type AttachmentCheck =
  | { readonly kind: "ok"; readonly attachments: readonly CheckedAttachment[] }
  | AttachmentProblem;

const KIB = 1_024;
const ATTACHMENT_LIMIT_BYTES = 1_024 * KIB;
const ATTACHMENTS_LIMIT_BYTES = 5 * ATTACHMENT_LIMIT_BYTES;
const MIME_TYPE_LIMIT_CHARS = 200;

const attachmentSchema = z.strictObject({
  name: z.string(),
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]).nullish(),
  mimeType: z.string().max(MIME_TYPE_LIMIT_CHARS).nullish(),
});
type Attachment = z.infer<typeof attachmentSchema>;

/** Judges the files of a spawn: their number, forms, names, encodings and sizes. Absent is none. Total. */
export function checkAttachments(attachments: unknown): AttachmentCheck {
  if (attachments === undefined) return { kind: "ok", attachments: [] };
  if (!Array.isArray(attachments)) {
    const received = formatReceivedValue(attachments);
    return fail("attachments_malformed", `attachments is no list, received ${received}; give a list of files`);
  }
  if (attachments.length > MOST_ATTACHMENTS) {
    const problem = `at most ${MOST_ATTACHMENTS} attachments are taken, received ${attachments.length}; leave some out`;
    return fail("attachments_too_many", problem);
  }
  const checked: CheckedAttachment[] = [];
  for (const [at, attachment] of attachments.entries()) {
    const one = checkAttachment(attachment, at, checked);
    if (one.kind === "problem") return one;
    checked.push(one.attachment);
  }
  return { kind: "ok", attachments: checked };
}

/** `before`: those that stand in the list before it. */
function checkAttachment(
  value: unknown,
  at: number,
  before: readonly CheckedAttachment[],
): { readonly kind: "ok"; readonly attachment: CheckedAttachment } | AttachmentProblem {
  const parsed = attachmentSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = ["attachments", at, ...(issue?.path ?? [])].map(String).join(".");
    return fail("attachments_malformed", `${place}: ${issue?.message}; give name, content and, if need be, encoding`);
  }
  const name = normalizeAttachmentName(parsed.data.name);
  const nameProblem = findNameProblem(name);
  if (nameProblem !== undefined) {
    const received = formatReceivedValue(name);
    const cure = "use a plain file name without a path, such as notes.md";
    return fail(
      "attachment_name_invalid",
      `the name of attachment ${at + 1} ${nameProblem}, received ${received}; ${cure}`,
    );
  }
  const folded = foldAttachmentName(name);
  if (before.some((other) => foldAttachmentName(other.name) === folded)) {
    const problem = `two attachments have the name ${JSON.stringify(name)} (case does not count); rename one`;
    return fail("attachment_name_duplicate", problem);
  }
  const decoded = decodeContent(name, parsed.data);
  if (decoded.kind === "problem") return decoded;
  const total = before.reduce((sum, { bytes }) => sum + bytes.length, decoded.bytes.length);
  if (total > ATTACHMENTS_LIMIT_BYTES) {
    const problem = `the attachments hold more than ${formatKib(ATTACHMENTS_LIMIT_BYTES)} in all, reached at ${JSON.stringify(name)}; leave some out`;
    return fail("attachments_too_large", problem);
  }
  return { kind: "ok", attachment: { name, bytes: decoded.bytes } };
}

function decodeContent(
  name: string,
  { content, encoding }: Attachment,
): { readonly kind: "ok"; readonly bytes: Uint8Array } | AttachmentProblem {
  const quoted = JSON.stringify(name);
  const isBase64 = encoding === "base64";
  // Measured before it is decoded, so that too much of it never stands in memory twice.
  const size = isBase64 ? measureBase64(content) : Buffer.byteLength(content);
  if (size > ATTACHMENT_LIMIT_BYTES) {
    const problem = `the attachment ${quoted} is too large, received ${formatKib(size)}; at most ${formatKib(ATTACHMENT_LIMIT_BYTES)} are taken`;
    return fail("attachment_too_large", problem);
  }
  if (!isBase64) {
    if (content.isWellFormed()) return { kind: "ok", bytes: Buffer.from(content, "utf8") };
    const problem = `the attachment ${quoted} holds a lone surrogate; give well-formed text, or bytes as base64`;
    return fail("attachment_content_invalid", problem);
  }
  const bytes = Buffer.from(content, "base64");
  // A decoder ignores much: what does not come back the same was no base64, or not all of it.
  if (bytes.toString("base64") === content) return { kind: "ok", bytes };
  const problem = `the attachment ${quoted} is not base64, received ${content.length} characters; encode it with padding and without line breaks, or use encoding utf8`;
  return fail("attachment_content_invalid", problem);
}

function measureBase64(content: string): number {
  return Math.floor((content.length * 3) / 4) - (content.endsWith("==") ? 2 : content.endsWith("=") ? 1 : 0);
}

function formatKib(bytes: number): string {
  return `${Math.ceil(bytes / KIB)} KiB`;
}

function fail(code: AttachmentProblemCode, problem: string): AttachmentProblem {
  return { kind: "problem", code, problem };
}
