import type { Log } from "@banyan/plugin-sdk";

const LINE_LIMIT_CHARS = 500;
/** A process that writes more says the same again. */
const LINES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
/** What is told with a death. */
const KEPT_LINES = 5;

/** What an agent writes to its standard error: in the log, a bounded number of lines, and its last lines at hand. */
export class StderrTail {
  readonly #log: Log;
  readonly #agent: string;
  readonly #now: () => number;
  #part = "";
  #last: readonly string[] = [];
  #minuteBegan = 0;
  #count = 0;

  constructor(log: Log, agent: string, now: () => number) {
    this.#log = log;
    this.#agent = agent;
    this.#now = now;
  }

  get last(): readonly string[] {
    return this.#part.trim() === "" ? this.#last : [...this.#last, this.#part].slice(-KEPT_LINES);
  }

  write(chunk: string): void {
    const lines = (this.#part + chunk).split("\n");
    // A line without an end must not fill the memory.
    this.#part = (lines.pop() ?? "").slice(0, LINE_LIMIT_CHARS);
    for (const line of lines) this.#tell(line.slice(0, LINE_LIMIT_CHARS).trim());
  }

  #tell(line: string): void {
    if (line === "") return;
    this.#last = [...this.#last, line].slice(-KEPT_LINES);
    const now = this.#now();
    if (now - this.#minuteBegan >= MINUTE_MS) {
      this.#minuteBegan = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= LINES_PER_MINUTE)
      this.#log.info({ agent: this.#agent, line }, "an agent wrote to its standard error");
    if (this.#count === LINES_PER_MINUTE + 1)
      this.#log.info(
        { agent: this.#agent },
        "an agent writes more to its standard error; the rest of this minute is left out",
      );
  }
}
