import { PATIENCE_MS } from "@banyan/emulator-kit";
import { awaitAcknowledgement, awaitAnswer, type InteractionState } from "./control/interaction-operations.ts";
import type { Control } from "./control/operation.ts";
import { Hearing, type HearOptions, type Matcher } from "./hearing.ts";
import { EmulatorError } from "./ports/error.ts";
import type { InteractionAck } from "./world/interaction.ts";
import type { ChatEvent, ChatMessage } from "./world/message-log.ts";

/** A command or a press of a person, and what is answered to it, also to that person alone. */
export class DiscordInteraction {
  readonly id: string;
  readonly #control: Control;
  readonly #hearing: Hearing;

  /** By DiscordChat.uses() and presses(). */
  constructor(control: Control, username: string, id: string) {
    this.id = id;
    this.#control = control;
    this.#hearing = new Hearing({
      name: username,
      awaitEvents: (afterSeq, timeoutMs) => control.call(awaitAnswer, { id, afterSeq, timeoutMs }),
      readHistory: async () => (await this.state(0)).messages,
    });
  }

  /** Resolves with the first answer: type 5 means that more is to come. */
  async acknowledged({ timeoutMs = PATIENCE_MS }: { readonly timeoutMs?: number } = {}): Promise<InteractionAck> {
    const { ack } = await this.state(timeoutMs);
    if (ack !== undefined) return ack;
    throw new EmulatorError(
      "not_acknowledged",
      `waiting ${timeoutMs} ms for an answer to interaction ${this.id}: none came`,
    );
  }

  /** As DiscordChat.hears, of the messages that answer it. */
  hears(matcher: Matcher, options: HearOptions = {}): Promise<ChatEvent> {
    return this.#hearing.hears(matcher, options);
  }

  /** The messages that answer it as they stand now, without deleted ones. */
  messages(): Promise<readonly ChatMessage[]> {
    return this.#hearing.messages();
  }

  /** What became of it, waiting so long for a first answer. */
  state(timeoutMs: number = 0): Promise<InteractionState> {
    return this.#control.call(awaitAcknowledgement, { id: this.id, timeoutMs });
  }
}
