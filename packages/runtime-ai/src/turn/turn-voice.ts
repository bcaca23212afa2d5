import type { LiveTurn } from "@banyan/plugin-sdk/runtime";

const BREAK = "\n\n";

/** What a turn says over all its steps: what a model says after its tools begins a paragraph of its own. */
export class TurnVoice {
  readonly #live: Pick<LiveTurn, "say">;
  #tail = "";
  #isNewStep = false;

  constructor(live: Pick<LiveTurn, "say">) {
    this.#live = live;
  }

  async say(delta: string): Promise<void> {
    if (delta === "") return;
    const isApart = this.#isNewStep && this.#tail !== "" && !this.#tail.endsWith(BREAK);
    this.#isNewStep = false;
    this.#tail = (this.#tail + delta).slice(-BREAK.length);
    await this.#live.say(isApart ? `${BREAK}${delta}` : delta);
  }

  /** What was said is a whole: the next words are not its continuation. */
  endStep(): void {
    this.#isNewStep = true;
  }
}
