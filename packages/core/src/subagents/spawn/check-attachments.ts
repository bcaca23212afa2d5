import type { AttachmentProblemCode } from "./spawn-refusal.ts";

/** A file of a spawn: its name is one safe path segment. */
export interface CheckedAttachment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type AttachmentCheck =
  | { readonly kind: "ok"; readonly attachments: readonly CheckedAttachment[] }
  | { readonly kind: "problem"; readonly code: AttachmentProblemCode; readonly problem: string };

/** Judges the files of a spawn: their number, names, encodings and sizes. Absent is none. */
export function checkAttachments(_attachments: unknown): AttachmentCheck {
  return { kind: "ok", attachments: [] };
}
