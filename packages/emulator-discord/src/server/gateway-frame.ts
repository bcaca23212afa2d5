import { z } from "zod";

/** What a client may send: its opcode and what goes with it. */
export interface Frame {
  readonly op: number;
  readonly d?: unknown;
}

const frameSchema: z.ZodType<Frame> = z.object({
  op: z.int(),
  d: z.unknown().optional(),
});

export interface Identify {
  readonly token: string;
  readonly intents: number;
  readonly shard?: readonly [number, number] | undefined;
}

export const identifySchema: z.ZodType<Identify> = z.object({
  token: z.string(),
  intents: z.number(),
  properties: z.object({ os: z.string(), browser: z.string(), device: z.string() }),
  shard: z.tuple([z.int(), z.int()]).optional(),
});

export interface Resume {
  readonly token: string;
  readonly session_id: string;
  readonly seq: number;
}

export const resumeSchema: z.ZodType<Resume> = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });

export interface MembersRequest {
  readonly guild_id: string;
  readonly user_ids?: string | readonly string[] | undefined;
  readonly nonce?: string | undefined;
}

export const membersRequestSchema: z.ZodType<MembersRequest> = z.object({
  guild_id: z.string(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
  nonce: z.string().optional(),
});

/** The longest frame (Gateway, "Sending Events"; D52). */
export const FRAME_LIMIT_BYTES = 4096 as const;

/** A frame as JSON, or undefined for what is none. */
export function parseFrame(text: string): Frame | undefined {
  try {
    return frameSchema.safeParse(JSON.parse(text)).data;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
