import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { cutToWidth } from "@banyan/core";

/** What a terminal is to us: a stream that knows its size. */
export interface Terminal extends NodeJS.WritableStream {
  readonly columns?: number;
  readonly rows?: number;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** Lines on a terminal that are drawn again in their place. They stay there when nothing more is drawn. */
export class RedrawnLines {
  readonly #terminal: Terminal;
  #drawn: readonly string[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get columns(): number {
    // A full row makes some terminals begin a new one.
    return (this.#terminal.columns ?? DEFAULT_COLUMNS) - 1;
  }

  /** So many lines are seen at once: the cursor stands below them. */
  get rows(): number {
    return Math.max(4, (this.#terminal.rows ?? DEFAULT_ROWS) - 1);
  }

  /** Writes nothing where these stand there already. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, this.rows).map((line) => cutToWidth(line, this.columns));
    if (shown.join("\n") === this.#drawn.join("\n")) return;
    if (this.#drawn.length > 0) {
      moveCursor(this.#terminal, 0, -this.#drawn.length);
      cursorTo(this.#terminal, 0);
      clearScreenDown(this.#terminal);
    }
    this.#terminal.write(shown.map((line) => `${line}\n`).join(""));
    this.#drawn = shown;
  }
}
