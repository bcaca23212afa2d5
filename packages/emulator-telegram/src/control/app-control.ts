import type { QueryAnswer } from "../bots/query-list.ts";
import type { ChatDraft } from "../chats/draft-list.ts";

/** The part of Control that is about what a person's app shows and takes beside messages: drafts and buttons. */
export interface AppControl {
  /** The drafts that stand in a private chat now. */
  readDrafts(chat: DraftChat): Promise<readonly ChatDraft[]>;
  /** What of drafts was shown after `afterSeq`, as soon as there is something, or nothing after `timeoutMs`. */
  awaitDrafts(wait: DraftWait): Promise<readonly ChatDraft[]>;
  /** The person presses the button to stop the draft; the bot is told. */
  stopDraft(chat: DraftChat): Promise<void>;
  /** The person presses a button below a message; resolves with the query's id. */
  press(press: ButtonPress): Promise<string>;
  /** What the bot answered to the query, as soon as it did; nothing after `timeoutMs`. */
  awaitAnswer(wait: AnswerWait): Promise<readonly QueryAnswer[]>;
}

export interface DraftChat {
  readonly userId: number;
  readonly botId?: number;
}

export interface DraftWait extends DraftChat {
  readonly afterSeq: number;
  readonly timeoutMs: number;
}

export interface ButtonPress extends DraftChat {
  /** A room; left out: the private chat with the bot. */
  readonly chatId?: number;
  /** Whose button; left out: the newest message with one of that label. */
  readonly messageId?: number;
  /** What stands on the button. */
  readonly label?: string;
  /** In place of the button's own data, as a changed app may send it. */
  readonly data?: string;
  /** The message is out of the bot's reach, as an old one may be: it is told of it without content. */
  readonly isInaccessible?: boolean;
}

export interface AnswerWait {
  readonly queryId: string;
  readonly timeoutMs: number;
}
