/** A message that shows a growing answer, as it is written down so that none is left standing. Pure. */
import { type Address, isAddress } from "@banyan/plugin-sdk";
import { z } from "zod";
import { isSnowflake, readSnowflakeTime } from "../snowflake.ts";

export interface Draft {
  readonly turnId: string;
  readonly address: Address;
  /** The id below which it cannot stand. */
  readonly after: string;
  /** Absent until Discord has answered. */
  readonly messageId?: string;
  /** The delivery that it was turned into; from then on it is no draft any more. */
  readonly delivery?: string;
}

/** Of all chats together; what is above gets no growing answers, only whole ones. */
const MOST_DRAFTS = 50;
/** So long a delivery may be made again, and has to find what it was made of. */
const REMEMBERED_MS = 24 * 3_600_000;

const snowflake = z.string().refine(isSnowflake);
const stored = z.object({
  turnId: z.string(),
  address: z.string(),
  after: snowflake,
  messageId: snowflake.optional(),
  delivery: z.string().optional(),
});

/** `undefined` for what no version of ours wrote. */
export function parseDraft(value: unknown): Draft | undefined {
  const read = stored.safeParse(value).data;
  if (read === undefined || !isAddress(read.address)) return undefined;
  const { turnId, address, after, messageId, delivery } = read;
  return {
    turnId,
    address,
    after,
    ...(messageId !== undefined && { messageId }),
    ...(delivery !== undefined && { delivery }),
  };
}

export type Drafts = readonly Draft[];

export function findDraft(drafts: Drafts, turnId: string): Draft | undefined {
  return drafts.find((draft) => draft.turnId === turnId);
}

/** Whether another answer may be shown as it grows. */
export function hasRoomForDraft(drafts: Drafts): boolean {
  return drafts.filter(({ delivery }) => delivery === undefined).length < MOST_DRAFTS;
}

/** With this draft; delivered ones are forgotten when nobody asks for them any more. `now` in ms since the epoch. */
export function putDraft(drafts: Drafts, draft: Draft, now: number): Drafts {
  const others = drafts.filter(({ turnId, delivery, after }) => {
    const isForgotten = delivery !== undefined && now - readSnowflakeTime(after) > REMEMBERED_MS;
    return turnId !== draft.turnId && !isForgotten;
  });
  return [...others, draft].slice(-2 * MOST_DRAFTS);
}

export function dropDraft(drafts: Drafts, turnId: string): Drafts {
  return drafts.filter((draft) => draft.turnId !== turnId);
}
