import type { Usage } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import type { PromptAnswer } from "../links/agent-answer.ts";
import type { CostMeter } from "./cost-meter.ts";

/** What a prompt has used, of which its tokens come with the answer, and its cost at any time: each report holds both. */
export class PromptUsage {
  readonly #turn: Pick<LiveTurn, "reportUsage">;
  readonly #meter: CostMeter;
  #answer: Pick<PromptAnswer, "usage"> = {};

  constructor(turn: Pick<LiveTurn, "reportUsage">, meter: CostMeter) {
    this.#turn = turn;
    this.#meter = meter;
  }

  noteCost(totalUsd: number, isLate: boolean): void {
    this.#meter.note(totalUsd, isLate);
    this.#tell();
  }

  noteAnswer(answer: PromptAnswer): void {
    this.#answer = answer;
    this.#tell();
  }

  #tell(): void {
    const usage = readUsage(this.#answer, this.#meter.report);
    if (usage !== undefined) this.#turn.reportUsage(usage);
  }
}

/**
 * What an agent says that a turn has used, with what it has cost. Absent: it has told nothing. The protocol leaves open
 * whether cached input is among the input, and thoughts among the output; where the total says that they are not, they are
 * added, as everybody else counts them. No prompt is worked on without a token: where none is counted, as opencode does when
 * it was stopped, nobody has counted.
 */
export function readUsage({ usage = {} }: Pick<PromptAnswer, "usage">, cost: CostMeter["report"]): Usage | undefined {
  if (Object.values(usage).every((count) => count === 0)) return Object.keys(cost).length === 0 ? undefined : cost;
  const { totalTokens, cachedReadTokens: cacheRead, cachedWriteTokens: cacheWrite, thoughtTokens = 0 } = usage;
  const { inputTokens, outputTokens } = usage;
  const beside = Math.max(0, (totalTokens ?? 0) - (inputTokens ?? 0) - (outputTokens ?? 0));
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const cachedBeside = beside >= cached ? cached : 0;
  const thoughtBeside = beside - cachedBeside >= thoughtTokens ? thoughtTokens : 0;
  const told = {
    inputTokens: inputTokens === undefined ? undefined : inputTokens + cachedBeside,
    outputTokens: outputTokens === undefined ? undefined : outputTokens + thoughtBeside,
    cacheRead,
    cacheWrite,
    ...cost,
  };
  const known = Object.entries(told).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
