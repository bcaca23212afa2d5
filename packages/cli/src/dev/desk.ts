import type { DeskChat } from "@banyan/console";

export type { DeskButton, DeskCard, DeskChat, DeskMessage } from "@banyan/console";

/** An emulated platform as the page of `banyan dev` shows it: its chats, and people who write there. */
export interface Desk {
  /** The channel's id, under which the configuration gets `account`. */
  readonly channel: string;
  readonly title: string;
  /** The settings of the one account there is in dev; whatever the file says of the channel is left out. */
  readonly account: Readonly<Record<string, unknown>>;
  /** In the order they are shown; a thread stands behind its parent. */
  chats(): Promise<readonly DeskChat[]>;
  /** Writes as a person. Throws a `DeskRefusal`. */
  say(line: DeskLine): Promise<void>;
  /** Presses a button as a person; answers what that person alone is told. Throws a `DeskRefusal`. */
  press(press: DeskPress): Promise<string>;
  close(): Promise<void>;
}

export interface DeskLine {
  readonly chat: string;
  readonly person: string;
  readonly text: string;
}

export interface DeskPress {
  readonly chat: string;
  readonly person: string;
  readonly message: string;
  readonly button: string;
}

/** A person cannot do that there; the message says why. */
export class DeskRefusal extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "DeskRefusal";
  }
}
