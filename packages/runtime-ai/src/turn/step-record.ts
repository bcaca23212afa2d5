import type { ModelMessage } from "ai";

const GO_ON =
  "(The connection was lost in the middle of your answer. The words above have reached the chat already: go on right after them, and repeat nothing.)";

/**
 * What a model was asked in the step under way and what it has said so far, so that a step that breaks off can be gone on
 * with. Calls of such a step were not made: the SDK makes them when the model has said all.
 */
export class StepRecord {
  #messages: readonly ModelMessage[];
  #text = "";

  constructor(messages: readonly ModelMessage[]) {
    this.#messages = messages;
  }

  begin(messages: readonly ModelMessage[]): void {
    this.#messages = messages;
  }

  addText(text: string): void {
    this.#text += text;
  }

  /** Called when the step's end is read, behind all of its text. */
  endText(): void {
    this.#text = "";
  }

  /** What the next request says: nothing is told again that was heard. */
  buildResumption(): readonly ModelMessage[] {
    if (this.#text === "") return this.#messages;
    return [...this.#messages, { role: "assistant", content: this.#text }, { role: "user", content: GO_ON }];
  }
}
