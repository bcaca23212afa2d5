/** What turns at work have set aside and used so far, which no row tells yet. Held here, it goes with the process, as they do. */
import { BUDGET_MEASURES } from "../config/shapes/budget-config.ts";
import { type Allowance, type BudgetLimit, findPassed } from "./allotment.ts";
import { type Amounts, addAmounts, NO_AMOUNTS } from "./amounts.ts";

export interface HeldTurn {
  /** What it is counted in, by their ids; of each scope one at most. */
  readonly circles: readonly string[];
  readonly held: Amounts;
  readonly allowances: readonly Allowance[];
}

interface Holding extends HeldTurn {
  /** What it has used, as far as it has told. */
  spent: Amounts;
  /** What of others its allowances were made with, by their ids. Of later ones: nothing. */
  readonly counted: Map<string, Amounts>;
  /** What those that have ended meanwhile had used beyond that, by circle. */
  readonly ended: Map<string, Amounts>;
}

export class Holdings {
  readonly #turns = new Map<string, Holding>();

  /** What the others hold in a circle: what was set aside for them, or what they have used where that is more. */
  sum(circle: string, id: string): Amounts {
    return this.#listOthers(circle, id).reduce((sum, [, other]) => addAmounts(sum, measureWeight(other)), NO_AMOUNTS);
  }

  add(id: string, turn: HeldTurn): void {
    const others = [...this.#turns].filter(([other]) => other !== id);
    const counted = new Map(others.map(([other, holding]) => [other, measureWeight(holding)]));
    this.#turns.set(id, { ...turn, spent: NO_AMOUNTS, counted, ended: new Map() });
  }

  /**
   * What a turn has used so far, all of it. Answers the first budget that it has gone beyond, together with the others that
   * are or were at work beside it: of one budget not each of them may use up the rest.
   */
  spend(id: string, spent: Amounts): BudgetLimit | undefined {
    const turn = this.#turns.get(id);
    if (turn === undefined) return undefined;
    turn.spent = spent;
    const allowances = turn.allowances.map((allowance) => {
      const { measure, scope } = allowance;
      const circle = turn.circles.find((one) => one.startsWith(`${scope}|`));
      const beside = circle === undefined ? 0 : this.#sumBeside(turn, circle, id)[measure];
      return { ...allowance, room: allowance.room - beside };
    });
    return findPassed(allowances, spent);
  }

  /** Whether there was such a turn. */
  remove(id: string): boolean {
    const gone = this.#turns.get(id);
    if (gone === undefined) return false;
    this.#turns.delete(id);
    for (const circle of gone.circles)
      for (const [, other] of this.#listOthers(circle, id)) {
        const before = other.ended.get(circle) ?? NO_AMOUNTS;
        other.ended.set(circle, addAmounts(before, measureGrowth(gone.spent, other.counted.get(id))));
      }
    // Another turn may be called so next, of which nothing was counted.
    for (const { counted } of this.#turns.values()) counted.delete(id);
    return true;
  }

  #sumBeside({ counted, ended }: Holding, circle: string, id: string): Amounts {
    return this.#listOthers(circle, id).reduce(
      (sum, [other, { spent }]) => addAmounts(sum, measureGrowth(spent, counted.get(other))),
      ended.get(circle) ?? NO_AMOUNTS,
    );
  }

  #listOthers(circle: string, id: string): readonly (readonly [string, Holding])[] {
    return [...this.#turns].filter(([other, { circles }]) => other !== id && circles.includes(circle));
  }
}

function measureWeight({ held, spent }: Holding): Amounts {
  return combine(held, spent, Math.max);
}

function measureGrowth(spent: Amounts, counted: Amounts = NO_AMOUNTS): Amounts {
  return combine(spent, counted, (now, before) => Math.max(0, now - before));
}

function combine(one: Amounts, other: Amounts, join: (a: number, b: number) => number): Amounts {
  const [tokens, turns, costUsd] = BUDGET_MEASURES.map((measure) => join(one[measure], other[measure]));
  return { tokens: tokens ?? 0, turns: turns ?? 0, costUsd: costUsd ?? 0 };
}
