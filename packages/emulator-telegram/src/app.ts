import { PATIENCE_MS } from "@banyan/emulator-kit";
import type { QueryAnswer } from "./bots/query-list.ts";
import type { ChatDraft } from "./chats/draft-list.ts";
import type { ButtonPress, DraftChat } from "./control/app-control.ts";
import type { Control } from "./control/control.ts";
import { EmulatorError } from "./ports/error.ts";

export interface PressOptions extends Pick<ButtonPress, "messageId" | "data" | "isInaccessible"> {
  /** How long to wait for the bot's answer, in real time; `PATIENCE_MS` of the kit if left out. */
  readonly timeoutMs?: number;
}

/** Presses a button; resolves with what the bot answered to it, undefined where it did not in time. */
export async function pressButton(
  control: Control,
  press: ButtonPress,
  timeoutMs: number = PATIENCE_MS,
): Promise<QueryAnswer | undefined> {
  const queryId = await control.press(press);
  const [answer] = await control.awaitAnswer({ queryId, timeoutMs });
  return answer;
}

/** What one person has seen of the bot's drafts in the private chat. */
export class DraftHearing {
  readonly #control: Control;
  readonly #chat: DraftChat;
  #seenSeq = 0;

  constructor(control: Control, chat: DraftChat) {
    this.#control = control;
    this.#chat = chat;
  }

  /** The first draft that matches and came behind the one heard last. */
  async hears(matcher: string | RegExp, timeoutMs: number = PATIENCE_MS): Promise<ChatDraft> {
    const untilMs = Date.now() + timeoutMs;
    for (;;) {
      const leftMs = Math.max(0, untilMs - Date.now());
      const frames = await this.#control.awaitDrafts({ ...this.#chat, afterSeq: this.#seenSeq, timeoutMs: leftMs });
      const heard = frames.find(({ text }) => (typeof matcher === "string" ? text === matcher : matcher.test(text)));
      this.#seenSeq = (heard ?? frames.at(-1))?.seq ?? this.#seenSeq;
      if (heard !== undefined) return heard;
      if (frames.length === 0)
        throw new EmulatorError("not_heard", `waiting ${timeoutMs} ms for the draft ${matcher}: it did not come`);
    }
  }
}
