import type { AttachmentsConfig } from "../config.ts";

const MIB = 1024 * 1024;

/** Telegram's own limit, and room for a small album of such files. */
export const DEFAULT_ATTACHMENTS: AttachmentsConfig = { limitBytes: 20 * MIB, turnLimitBytes: 50 * MIB };

/** The rules with every default filled in. */
export function getAttachmentRules(input: Partial<AttachmentsConfig> | undefined): AttachmentsConfig {
  return { ...DEFAULT_ATTACHMENTS, ...input };
}
