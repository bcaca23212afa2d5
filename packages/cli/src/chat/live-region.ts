import type { Interface } from "node:readline";
import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { measureWidth } from "@banyan/core";

/** What a terminal is to us: a stream that knows its size. */
export interface Screen extends NodeJS.WritableStream {
  readonly columns?: number;
  readonly rows?: number;
}

const DEFAULT_COLUMNS = 80;

/**
 * Writes lines above the prompt of a readline interface, the last of them passing: a growing answer is drawn again in
 * its place, and what was typed so far stays below it.
 */
export class LiveRegion {
  readonly #screen: Screen;
  readonly #prompt: Interface;
  #drawnRows = 0;

  constructor(screen: Screen, prompt: Interface) {
    this.#screen = screen;
    this.#prompt = prompt;
  }

  get columns(): number {
    return Math.max(20, this.#screen.columns ?? DEFAULT_COLUMNS);
  }

  /** Puts `lasting` above for good, and `passing`, each shorter than the screen is wide, between them and the prompt. */
  draw(lasting: readonly string[], passing: readonly string[]): void {
    this.#eraseUp(this.#prompt.getCursorPos().rows);
    this.#write(lasting, passing);
  }

  /** The same after a line was entered: readline has left it standing, `lasting` says it again in its own form. */
  replaceEntered(entered: string, lasting: readonly string[], passing: readonly string[]): void {
    const shown = measureWidth(this.#prompt.getPrompt() + entered);
    this.#eraseUp(Math.floor(shown / this.columns) + 1);
    this.#write(lasting, passing);
  }

  /** Takes the passing lines and the prompt away. */
  clear(): void {
    this.#eraseUp(this.#prompt.getCursorPos().rows);
    this.#drawnRows = 0;
  }

  #eraseUp(promptRows: number): void {
    moveCursor(this.#screen, 0, -(promptRows + this.#drawnRows));
    cursorTo(this.#screen, 0);
    clearScreenDown(this.#screen);
  }

  #write(lasting: readonly string[], passing: readonly string[]): void {
    const text = [...lasting, ...passing].map((line) => `${line}\n`).join("");
    this.#drawnRows = passing.length;
    this.#screen.write(text);
    this.#drawPrompt();
  }

  /** As readline would, but without its memory of the rows above: what it knows of its own line stays true. */
  #drawPrompt(): void {
    const typed = this.#prompt.getPrompt() + this.#prompt.line;
    const width = measureWidth(typed);
    const cursor = this.#prompt.getCursorPos();
    // A full row makes the terminal wait with its line end; a space ends that.
    this.#screen.write(width > 0 && width % this.columns === 0 ? `${typed} ` : typed);
    cursorTo(this.#screen, cursor.cols);
    moveCursor(this.#screen, 0, cursor.rows - Math.floor(width / this.columns));
  }
}
