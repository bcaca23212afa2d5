import { PassThrough } from "node:stream";

/** Each answer with the question it is for. */
export type Script = readonly (readonly [question: RegExp, answer: string])[];

/** Sits at a terminal: types an answer each time its question is on the screen. */
export class Typist {
  readonly input: PassThrough = new PassThrough();
  readonly output: PassThrough = new PassThrough();
  /** What was not asked yet. */
  readonly waiting: (readonly [question: RegExp, answer: string])[];
  #unread = "";
  #screen = "";

  constructor(script: Script) {
    this.waiting = [...script];
    this.output.setEncoding("utf8").on("data", (text: string) => this.#read(text));
  }

  /** All that was shown. */
  get screen(): string {
    return this.#screen;
  }

  #read(text: string): void {
    this.#unread += text;
    this.#screen += text;
    const [next] = this.waiting;
    if (next === undefined || !next[0].test(this.#unread)) return;
    this.waiting.shift();
    this.#unread = "";
    setImmediate(() => this.input.write(next[1]));
  }
}
