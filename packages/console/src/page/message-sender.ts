import type { ChatApi } from "./chat-api.ts";
import type { ConversationChange } from "./conversation.ts";
import { decideRetryWaitMs, REFUSED_WAIT_MS, RetryWait } from "./retry-wait.ts";
import type { UnsentMessage, UnsentMessages } from "./unsent-messages.ts";

export interface MessageSenderParts {
  readonly api: Pick<ChatApi, "post">;
  readonly unsent: UnsentMessages;
  change(change: ConversationChange): void;
  /** The server refuses the token; sending goes on at `wake`. */
  onUnauthorized(): void;
}

/** Sends the person's messages one after the other, each until the server has it. */
export class MessageSender {
  readonly #parts: MessageSenderParts;
  readonly #wait = new RetryWait();
  #isAtWork = false;

  constructor(parts: MessageSenderParts) {
    this.#parts = parts;
    for (const message of parts.unsent.list) parts.change({ type: "written", ...message });
    void this.#begin();
  }

  send(message: UnsentMessage): void {
    this.#parts.unsent.add(message);
    this.#parts.change({ type: "written", ...message });
    void this.#begin();
  }

  /** There is a connection, or another token: no reason to wait. */
  wake(): void {
    this.#wait.cut();
  }

  async #begin(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    for (let tries = 0; ; ) {
      const [message] = this.#parts.unsent.list;
      if (message === undefined) break;
      tries = (await this.#try(message, tries)) ? 0 : tries + 1;
    }
    this.#isAtWork = false;
  }

  /** Whether the message is settled. */
  async #try(message: UnsentMessage, tries: number): Promise<boolean> {
    const { api, unsent, change, onUnauthorized } = this.#parts;
    const end = await api.post(message);
    switch (end.status) {
      case "accepted":
        unsent.remove(message.id);
        change({ type: "accepted", id: message.id });
        return true;
      case "refused":
        unsent.remove(message.id);
        change({ type: "failed", id: message.id, problem: end.problem });
        return true;
      case "unauthorized":
        onUnauthorized();
        await this.#wait.wait(REFUSED_WAIT_MS);
        return false;
      case "unreachable":
        await this.#wait.wait(decideRetryWaitMs(tries, Math.random()));
        return false;
    }
  }
}
