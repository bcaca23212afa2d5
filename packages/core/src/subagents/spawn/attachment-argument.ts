import { z } from "zod";

/** The most files of one spawn. */
export const MOST_ATTACHMENTS = 50;

const DESCRIPTION =
  "Files for the sub-agent, at most 50, 1 MiB each and 5 MiB together. They are in a folder whose path it gets.";

/** Anything, with the form that it should have told to models: its check has an order and codes of its own. */
export const attachmentsArgument: z.ZodType<unknown> = z
  .unknown()
  .optional()
  .meta({
    type: "array",
    description: DESCRIPTION,
    maxItems: MOST_ATTACHMENTS,
    items: {
      type: "object",
      properties: {
        name: { type: "string", description: "A file name without a path, such as notes.md." },
        content: { type: "string" },
        encoding: { type: "string", enum: ["utf8", "base64"], description: "Of content. Default utf8." },
        mimeType: { type: "string" },
      },
      required: ["name", "content"],
      additionalProperties: false,
    },
  });
