/** A chat of an emulated platform as the page of `banyan dev` shows it; what is sent is what is read. */
export interface DeskChat {
  /** Unique within its desk. */
  readonly id: string;
  readonly title: string;
  /** The server it is in; a direct chat is in none. */
  readonly place?: string;
  /** The chat that it is a thread of. */
  readonly parent?: string;
  /** What is special about it now: `archived`, `locked`. */
  readonly marks: readonly string[];
  /** Who can write here. */
  readonly people: readonly string[];
  /** A line worth trying, shown where nothing has been said yet. */
  readonly example: string;
  readonly messages: readonly DeskMessage[];
}

export interface DeskMessage {
  readonly id: string;
  readonly author: string;
  readonly isBot: boolean;
  readonly text: string;
  /** Whether the text is Markdown; else it stands as it is. */
  readonly isMarkdown: boolean;
  readonly isEdited: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What hangs below the text, such as a completion's card. */
  readonly cards: readonly DeskCard[];
  readonly buttons: readonly DeskButton[];
}

export interface DeskCard {
  readonly title: string;
  readonly text: string;
  /** As in a style sheet. */
  readonly color?: string;
}

export type DeskButton =
  /** Leads to a chat of this desk, by its id. */
  | { readonly label: string; readonly chat: string }
  /** Tells the bot, by this id. */
  | { readonly label: string; readonly id: string };
