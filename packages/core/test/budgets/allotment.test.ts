import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideAllotment, findPassed } from "../../src/budgets/allotment.ts";
import { type Amounts, addAmounts, NO_AMOUNTS } from "../../src/budgets/amounts.ts";

const tokens = (count: number): Amounts => ({ ...NO_AMOUNTS, tokens: count });
const need = { estimate: tokens(0), isRecovery: false, reserveTokens: 0 };

describe("what is set aside for a turn", () => {
  const decide = (used: number, held: number) =>
    decideAllotment([{ scope: "Session", limits: { tokens: 1_000 }, used: tokens(used), held: tokens(held) }], {
      ...need,
      estimate: tokens(300),
      reserveTokens: 100,
    });

  it("is what such a turn takes as a rule, and less where less is left", () => {
    expect(decide(0, 0)).toMatchObject({ held: { tokens: 300 }, allowances: [{ room: 1_000 }] });
    expect(decide(700, 0)).toMatchObject({ held: { tokens: 200 }, allowances: [{ room: 300 }] });
  });

  it.each([
    { what: "only the reserve is left", used: 900, held: 0 },
    { what: "others at work may take the rest", used: 500, held: 450 },
    { what: "it has gone beyond", used: 1_200, held: 0 },
  ])("is nothing where $what", ({ used, held }) => {
    expect(decide(used, held)).toEqual({ kind: "refused", by: { key: "tokensPerSession", limit: 1_000, used } });
  });

  it("may be the reserve where a turn was cut off and runs again", () => {
    const standing = { scope: "Tree", limits: { tokens: 1_000 }, used: tokens(950), held: NO_AMOUNTS } as const;
    expect(decideAllotment([standing], { ...need, reserveTokens: 100 }).kind).toBe("refused");
    expect(decideAllotment([standing], { ...need, reserveTokens: 100, isRecovery: true }).kind).toBe("granted");
  });

  it("never makes what is left of a budget less than nothing, whatever begins and ends", () => {
    const amount = fc.integer({ min: 0, max: 2_000 });
    const turn = fc.record({ estimate: amount, spends: amount, isRecovery: fc.boolean(), endsAt: fc.nat(5) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(500), fc.array(turn), (limit, reserveTokens, turns) => {
        let used = NO_AMOUNTS;
        let working: { held: Amounts; spends: number; endsAt: number }[] = [];
        for (const { estimate, spends, isRecovery, endsAt } of turns) {
          const held = working.reduce((sum, one) => addAmounts(sum, one.held), NO_AMOUNTS);
          const standing = { scope: "Session", limits: { tokens: limit }, used, held } as const;
          const decided = decideAllotment([standing], { estimate: tokens(estimate), isRecovery, reserveTokens });
          if (decided.kind === "granted") {
            expect(decided.held.tokens).toBeGreaterThanOrEqual(0);
            expect(used.tokens + held.tokens + decided.held.tokens).toBeLessThanOrEqual(limit);
            expect(decided.allowances.every(({ room }) => room > 0)).toBe(true);
            working.push({ held: decided.held, spends, endsAt });
          } else expect(used.tokens + held.tokens + (isRecovery ? 0 : reserveTokens)).toBeGreaterThanOrEqual(limit);
          // Each that ends gives back what was set aside, and what it has used is in the rows.
          const [ended, left] = [working.filter((one) => one.endsAt === 0), working.filter((one) => one.endsAt > 0)];
          used = ended.reduce((sum, one) => addAmounts(sum, tokens(Math.min(one.spends, one.held.tokens))), used);
          working = left.map((one) => ({ ...one, endsAt: one.endsAt - 1 }));
          expect(used.tokens).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});

it("a turn has gone beyond a budget once it has used more than was left", () => {
  const allowances = [{ key: "tokensPerTree", measure: "tokens", scope: "Tree", limit: 1_000, room: 400 }] as const;
  expect(findPassed(allowances, tokens(400))).toBeUndefined();
  expect(findPassed(allowances, tokens(401))).toEqual({ key: "tokensPerTree", limit: 1_000, used: 1_001 });
});
