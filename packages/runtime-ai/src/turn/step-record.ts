import type { ToolResult } from "@banyan/plugin-sdk";
import type { ModelMessage } from "ai";
import { buildCallMessages } from "../prompt/history-messages.ts";

interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly result: ToolResult;
}

const GO_ON =
  "(The connection was lost in the middle of your answer. The words above have reached the chat already: go on right behind them, and repeat nothing.)";

/** What a model was asked in the step under way and what came of it so far, so that a step that breaks off can be gone on with. */
export class StepRecord {
  #messages: readonly ModelMessage[];
  #calls: MadeCall[] = [];
  #text = "";

  constructor(messages: readonly ModelMessage[]) {
    this.#messages = messages;
  }

  /** All calls of the step before are through by then. */
  begin(messages: readonly ModelMessage[]): void {
    this.#messages = messages;
    this.#calls = [];
  }

  /** It is gone on with behind them, not in the middle of its words. */
  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  addText(text: string): void {
    this.#text += text;
  }

  addCall(call: MadeCall): void {
    this.#calls.push(call);
  }

  /** Called when the step's end is read, behind all of its text. */
  endText(): void {
    this.#text = "";
  }

  /** What the next request says: nothing is asked again that was answered, and nothing told again that was heard. */
  buildResumption(): readonly ModelMessage[] {
    const said: ModelMessage[] = this.#text === "" ? [] : [{ role: "assistant", content: this.#text }];
    if (this.#calls.length > 0) {
      const done = this.#calls.flatMap(({ result, ...call }) => buildCallMessages(call, result));
      return [...this.#messages, ...said, ...done];
    }
    if (said.length === 0) return this.#messages;
    return [...this.#messages, ...said, { role: "user", content: GO_ON }];
  }
}
