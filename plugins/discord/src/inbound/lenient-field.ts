/** Parts of payloads, read so that nothing Discord adds or leaves out makes a whole payload unreadable. */
import { z } from "zod";

/** An id as Discord writes it: a decimal number of 64 bits, as text. */
export const snowflake: z.ZodType<string> = z.string().regex(/^\d{1,20}$/);

/** A field that may be missing, null or of another kind than it was: all of that is `undefined`. */
export function lenient<Output>(schema: z.ZodType<Output>): z.ZodType<Output | undefined> {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined);
}

/** A list without the entries that cannot be read; empty for what is none. */
export function lenientList<Output>(schema: z.ZodType<Output>): z.ZodType<readonly Output[]> {
  return z
    .array(lenient(schema))
    .transform((list) => list.filter((entry) => entry !== undefined))
    .catch([]);
}

/** Words, in which half a character is none: JSON can hold what no encoding can. */
export const lenientText: z.ZodType<string | undefined> = lenient(
  z.string().transform((words) => words.toWellFormed()),
);
