/** How much agents may fetch of what people send. */
export interface AttachmentLimits {
  /** Of one file. */
  readonly limitBytes: number;
  /** Of all files that one turn saves. */
  readonly turnLimitBytes: number;
}

const MIB = 1024 * 1024;

/** Telegram's own limit, and room for a small album of such files. */
export const DEFAULT_ATTACHMENT_LIMITS: AttachmentLimits = { limitBytes: 20 * MIB, turnLimitBytes: 50 * MIB };
