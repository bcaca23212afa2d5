/** What happened in a world, one line each, as a play with stage directions. Lines are made only when somebody reads. */
export class Trace {
  readonly #lines: string[] = [];
  readonly #isRead: boolean;
  readonly #elapsedMs: () => number;

  constructor(isRead: boolean, elapsedMs: () => number) {
    this.#isRead = isRead;
    this.#elapsedMs = elapsedMs;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  tell(line: () => string): void {
    if (!this.#isRead) return;
    const time = (this.#elapsedMs() / 1000).toFixed(3).padStart(10);
    this.#lines.push(`${time}  ${line()}`);
  }
}
