import { PassThrough } from "node:stream";
import { expect } from "vitest";

/** What readline and we send to a terminal: text, line ends, and these four sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is spoken to in control characters
const PIECE = /\u001b\[(\d*)(?:;\d+)?([A-Za-z])|\r|\n|[^\u001b\r\n]+/g;

/** A terminal that can be looked at: 40 columns, and a keyboard. */
export class VirtualScreen {
  readonly columns = 40;
  readonly rows = 24;
  readonly output: PassThrough & { columns: number; rows: number };
  readonly input: PassThrough = new PassThrough();
  #lines: string[] = [""];
  #row = 0;
  #column = 0;

  constructor() {
    this.output = Object.assign(new PassThrough(), { columns: this.columns, rows: this.rows });
    this.output.setEncoding("utf8").on("data", (text: string) => this.#show(text));
  }

  /** Key by key, as fingers do. */
  types(text: string): void {
    for (const key of text) this.input.write(key);
  }

  /** The screen comes to show these lines; blank ones at its end do not count. */
  async shows(...lines: readonly (string | RegExp)[]): Promise<void> {
    const expected = lines.map((line) => (typeof line === "string" ? line : expect.stringMatching(line)));
    await expect.poll(() => this.look()).toEqual(expected);
  }

  look(): readonly string[] {
    const lines = this.#lines.map((line) => line.trimEnd());
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  #show(text: string): void {
    for (const [piece, count, command] of text.matchAll(PIECE)) {
      if (piece === "\r") this.#column = 0;
      else if (piece === "\n") this.#moveTo(this.#row + 1, 0);
      else if (command === undefined) for (const letter of piece) this.#put(letter);
      else this.#obey(command, Number(count || "1"));
    }
  }

  #obey(command: string, count: number): void {
    if (command === "A") this.#moveTo(Math.max(0, this.#row - count), this.#column);
    else if (command === "B") this.#moveTo(this.#row + count, this.#column);
    else if (command === "C") this.#moveTo(this.#row, this.#column + count);
    else if (command === "D") this.#moveTo(this.#row, Math.max(0, this.#column - count));
    else if (command === "G") this.#moveTo(this.#row, count - 1);
    else if (command === "J") this.#lines = [...this.#lines.slice(0, this.#row), this.#line.slice(0, this.#column)];
    else if (command === "K") this.#lines[this.#row] = this.#line.slice(0, this.#column);
    else if (command !== "m") throw new Error(`The screen was sent a sequence that it does not know: ${command}`);
  }

  get #line(): string {
    return this.#lines[this.#row] ?? "";
  }

  #put(letter: string): void {
    if (this.#column >= this.columns) this.#moveTo(this.#row + 1, 0);
    const line = this.#line.padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + letter + line.slice(this.#column + 1);
    this.#column += 1;
  }

  #moveTo(row: number, column: number): void {
    this.#row = row;
    this.#column = column;
    while (this.#lines.length <= row) this.#lines.push("");
  }
}
