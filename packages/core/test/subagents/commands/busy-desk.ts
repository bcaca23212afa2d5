import type { AgentConfig, SubagentsConfig } from "../../../src/config/config.ts";
import { TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";

const main = (subagents: Partial<SubagentsConfig> = {}): AgentConfig => ({
  runtime: "played",
  workspace: "/workspace",
  tools: { deny: [] },
  subagents,
  turnTimeoutSeconds: 0,
});

/** Sub-agents whose work ends when the test says so: `work on <name>` answers what `ends` gives, or stops. */
export class BusyDesk extends TreeDesk {
  readonly #work = new Map<string, (answer: string) => void>();

  constructor(options: TreeDeskOptions & { readonly subagents?: Partial<SubagentsConfig> } = {}) {
    super({ agents: { main: main(options.subagents) }, ...options });
    this.plays(/^work on (\w+)/, ({ text, signal }) => this.#works(text, signal));
    // Gives everything behind `split` to sub-agents of its own, then works itself.
    this.plays(/^split (\w+)/, async ({ text, signal, call }) => {
      const [, own = "", ...parts] = text.split(" ");
      for (const part of parts) await call("sessions_spawn", { task: `work on ${part}`, label: part });
      return this.#works(`work on ${own}`, signal);
    });
  }

  /** The work comes to its end. */
  async ends(name: string, answer: string): Promise<void> {
    const end = this.#work.get(name);
    if (end === undefined) throw new Error(`The work on ${name} was ended: nobody works on it`);
    this.#work.delete(name);
    end(answer);
    await this.rest();
  }

  /** What is answered to a line: all that comes of it. */
  async asks(text: string, from = "ada"): Promise<readonly string[]> {
    const before = this.heard(from).length;
    await this.says(text, from);
    return this.heard(from).slice(before);
  }

  /** The one answer to a line. */
  async ask(text: string, from = "ada"): Promise<string> {
    const answers = await this.asks(text, from);
    if (answers.length !== 1)
      throw new Error(`${text} was said: it has ${answers.length} answers: ${answers.join(" | ")}`);
    return answers[0] ?? "";
  }

  #works(text: string, signal: AbortSignal): Promise<string> {
    const name = text.split(" ")[2] ?? "";
    return new Promise((resolve) => {
      this.#work.set(name, resolve);
      signal.addEventListener("abort", () => resolve("half"), { once: true });
    });
  }
}

/** The block in an answer, line by line. */
export function blockOf(answer: string): readonly string[] {
  return /```\n([\s\S]*?)\n```/.exec(answer)?.[1]?.split("\n") ?? [];
}
