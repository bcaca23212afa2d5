import type { Signal } from "@banyan/emulator-kit";
import type { Entity } from "../text/entity.ts";

/** A preview of what a bot is writing, as the person sees it in the chat. */
export interface ChatDraft {
  /** Grows by one with each change in the chat. */
  readonly seq: number;
  readonly draftId: number;
  readonly threadId?: number;
  /** Empty: the app shows that the bot thinks. */
  readonly text: string;
  readonly entities: readonly Entity[];
  /** Whether a button to stop is shown with it. */
  readonly canStop: boolean;
  readonly atMs: number;
}

export interface NewDraft extends Omit<ChatDraft, "seq"> {
  readonly keepsOnStop: boolean;
}

/** "sendMessageDraft", core.telegram.org/bots/api: a 30-second preview. */
const DRAFT_LIFE_MS = 30_000;
/** Enough for any test. */
const FRAMES_LIMIT = 1_000;

/** The drafts of one private chat. They are no messages: nothing of them is kept. */
export class DraftList {
  readonly #changed: Signal;
  readonly #standing = new Map<string, NewDraft & ChatDraft>();
  #frames: ChatDraft[] = [];
  #lastSeq = 0;

  constructor(changed: Signal) {
    this.#changed = changed;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  show(draft: NewDraft): void {
    this.#lastSeq += 1;
    const shown = { ...draft, seq: this.#lastSeq };
    this.#standing.set(formatKey(draft), shown);
    this.#frames = [...this.#frames.slice(1 - FRAMES_LIMIT), toFrame(shown)];
    this.#changed.fire();
  }

  /** A message has come there in their place. */
  clear(threadId: number | undefined): void {
    for (const [key, draft] of this.#standing) if (draft.threadId === threadId) this.#standing.delete(key);
  }

  /** The person stops it; undefined where there is none to stop. */
  stop(nowMs: number): ChatDraft | undefined {
    const stopped = this.#findLiving(nowMs).findLast(({ canStop }) => canStop);
    if (stopped !== undefined && !stopped.keepsOnStop) this.#standing.delete(formatKey(stopped));
    return stopped && toFrame(stopped);
  }

  standing(nowMs: number): ChatDraft[] {
    return this.#findLiving(nowMs).map(toFrame);
  }

  framesAfter(seq: number): ChatDraft[] {
    return this.#frames.filter((frame) => frame.seq > seq);
  }

  #findLiving(nowMs: number): (NewDraft & ChatDraft)[] {
    return [...this.#standing.values()].filter(({ atMs }) => nowMs - atMs < DRAFT_LIFE_MS);
  }
}

/** What makes it one draft: its number, in its thread. */
function formatKey({ draftId, threadId }: Pick<ChatDraft, "draftId" | "threadId">): string {
  return `${threadId ?? ""}/${draftId}`;
}

function toFrame({ keepsOnStop: _, ...frame }: NewDraft & ChatDraft): ChatDraft {
  return frame;
}
