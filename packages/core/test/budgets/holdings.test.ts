import fc from "fast-check";
import { expect, it } from "vitest";
import { decideAllotment } from "../../src/budgets/allotment.ts";
import { type Amounts, NO_AMOUNTS } from "../../src/budgets/amounts.ts";
import { Holdings } from "../../src/budgets/holdings.ts";

const CIRCLE = "Tree|agent:main:main";
const tokens = (count: number): Amounts => ({ ...NO_AMOUNTS, tokens: count });

/** The turns of one tree, whose rows say what those that ended have used. */
class Tree {
  readonly holdings = new Holdings();
  used = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether it may begin. */
  begin(id: string, estimate = 0): boolean {
    const held = this.holdings.sum(CIRCLE, id);
    const standing = { scope: "Tree", limits: { tokens: this.#limit }, used: tokens(this.used), held } as const;
    const need = { estimate: tokens(estimate), isRecovery: false, reserveTokens: 0 };
    const decided = decideAllotment([standing], need);
    if (decided.kind === "granted") this.holdings.add(id, { circles: [CIRCLE], ...decided });
    return decided.kind === "granted";
  }

  /** What it has used by then of which limit, where that is too much. */
  spend(id: string, count: number): number | undefined {
    return this.holdings.spend(id, tokens(count))?.used;
  }

  end(id: string, count: number): void {
    this.used += count;
    this.holdings.remove(id);
  }
}

it("turns at work at once use up one budget, not one each", () => {
  const tree = new Tree(1_000);
  expect([tree.begin("one"), tree.begin("two")]).toEqual([true, true]);
  expect(tree.spend("one", 600)).toBeUndefined();
  expect(tree.spend("two", 400)).toBeUndefined();
  expect(tree.spend("two", 401)).toBe(1_001);
  expect(tree.begin("three")).toBe(false);
});

it("one that has ended counts on for those that ran beside it, and once for those that come later", () => {
  const tree = new Tree(1_000);
  tree.begin("one");
  tree.begin("two");
  tree.spend("one", 600);
  tree.end("one", 600);
  expect(tree.begin("three")).toBe(true);
  expect(tree.spend("three", 400)).toBeUndefined();
  expect(tree.spend("two", 1)).toBe(1_001);
});

it("what was set aside for another is not counted again when that one uses it", () => {
  const tree = new Tree(1_000);
  tree.begin("one", 300);
  tree.begin("two");
  expect(tree.spend("one", 300)).toBeUndefined();
  expect(tree.spend("two", 700)).toBeUndefined();
  expect(tree.spend("one", 301)).toBe(1_001);
});

it("a later turn of the same name is another one", () => {
  const tree = new Tree(1_000);
  tree.begin("one");
  tree.spend("one", 400);
  tree.begin("two");
  tree.end("one", 400);
  tree.begin("one");
  expect(tree.spend("one", 400)).toBeUndefined();
  expect(tree.spend("two", 201)).toBe(1_001);
});

it("knows nothing of a turn that was not allotted anything, or has ended", () => {
  const tree = new Tree(1_000);
  tree.begin("one");
  tree.end("one", 0);
  expect(tree.spend("one", 5_000)).toBeUndefined();
  expect(tree.holdings.remove("one")).toBe(false);
});

it("however many run at once, each is told of the limit with the first report that goes beyond it", () => {
  const step = fc.record({ turn: fc.nat(4), grows: fc.integer({ min: 0, max: 400 }), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
      const tree = new Tree(limit);
      const spent = new Map<string, number>();
      const total = () => [...spent.values()].reduce((sum, count) => sum + count, tree.used);
      for (const { turn, grows, ends } of steps) {
        const id = String(turn);
        if (!spent.has(id)) {
          if (!tree.begin(id)) expect(total()).toBeGreaterThanOrEqual(limit);
          else spent.set(id, 0);
        }
        if (!spent.has(id)) continue;
        const before = total();
        const count = (spent.get(id) ?? 0) + grows;
        spent.set(id, count);
        const told = tree.spend(id, count);
        expect(told).toBe(before + grows > limit ? before + grows : undefined);
        if (told === undefined && !ends) continue;
        spent.delete(id);
        tree.end(id, count);
      }
    }),
    { numRuns: 500 },
  );
});
