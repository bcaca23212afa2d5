/** A message that shows a growing answer, as it is written down so that its delivery finds it. Pure. */
import { type Address, isAddress } from "@banyan/plugin-sdk";
import { z } from "zod";

export interface Draft {
  readonly turnId: string;
  readonly address: Address;
  /** When it was begun, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * Absent until Telegram has answered. Where that was lost nobody can tell whether it stands: there is no history to look
   * in. It held no word of the answer.
   */
  readonly messageId?: number;
  /** The delivery that it was turned into; from then on it is no draft any more. */
  readonly delivery?: string;
}

export type Drafts = readonly Draft[];

/** Of all chats together; what is above gets no growing answers, only whole ones. */
const MOST_DRAFTS = 25;
/** With the delivered ones, of which the oldest are forgotten above this. */
const MOST_KEPT = 50;
/** With each poll all of it is stored again; messages that cannot be deleted are not to add up without an end. */
const MOST_STORED = 100;
/** So long a delivery may be made again, and has to find what it was made of. */
const REMEMBERED_MS = 24 * 3_600_000;

const stored = z.array(
  z.object({
    turnId: z.string(),
    address: z.string().refine((text): text is Address => isAddress(text)),
    at: z.number(),
    messageId: z.int().exactOptional(),
    delivery: z.string().exactOptional(),
  }),
);

/** None for what no version of ours wrote. */
export function parseDrafts(text: string | undefined): Drafts {
  if (text === undefined) return [];
  try {
    return stored.safeParse(JSON.parse(text)).data ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

export function findDraft(drafts: Drafts, turnId: string): Draft | undefined {
  return drafts.find((draft) => draft.turnId === turnId);
}

/** Whether another answer may be shown as it grows. */
export function hasRoomForDraft(drafts: Drafts): boolean {
  return drafts.filter(({ delivery }) => delivery === undefined).length < MOST_DRAFTS;
}

/**
 * With this draft; delivered ones are forgotten when nobody asks for them any more, or when there are too many. What still
 * grows is not: nobody else knows its message. `now` in ms since the epoch.
 */
export function putDraft(drafts: Drafts, draft: Draft, now: number): Drafts {
  const others = drafts.filter(
    ({ turnId, delivery, at }) => turnId !== draft.turnId && !(delivery !== undefined && now - at > REMEMBERED_MS),
  );
  const delivered = others.filter(({ delivery }) => delivery !== undefined);
  const forgotten = new Set(delivered.slice(0, Math.max(0, others.length + 1 - MOST_KEPT)));
  return [...others.filter((other) => !forgotten.has(other)), draft].slice(-MOST_STORED);
}

export function dropDraft(drafts: Drafts, turnId: string): Drafts {
  return drafts.filter((draft) => draft.turnId !== turnId);
}
