import { expect, it } from "vitest";
import { parseConfig } from "../../../src/config/read-config.ts";

const parse = (agents: object) => parseConfig({ agents }, { folder: "/srv/bot" }).agents;

it("takes an agent's own budgets before those of all agents, and limits nothing by itself", () => {
  const agents = parse({
    defaults: { budgets: { tokensPerSession: 1_000, turnsPerTree: 5 } },
    main: { default: true, budgets: { tokensPerSession: 2_000 } },
    other: {},
  });
  expect(agents.main?.budgets).toEqual({ tokensPerSession: 2_000, turnsPerTree: 5 });
  expect(agents.other?.budgets).toEqual({ tokensPerSession: 1_000, turnsPerTree: 5 });
  expect(parse({ main: {} }).main).not.toHaveProperty("budgets");
});

it.each([
  {
    what: "a reserve that leaves nothing",
    budgets: { tokensPerTree: 1_000, reserveTokens: 1_000 },
    told: /agents\.main\.budgets\.reserveTokens.*No turn could begin.*tokensPerTree \(1000\).*set it below 1000/s,
  },
  {
    what: "a time above the longest",
    budgets: { toolTimeoutSeconds: 60, maxToolTimeoutSeconds: 30 },
    told: /agents\.main\.budgets\.toolTimeoutSeconds.*Longer than maxToolTimeoutSeconds \(30\)/s,
  },
  {
    what: "a name that is nearly one",
    budgets: { tokensPerSesion: 1_000 },
    told: /agents\.main\.budgets\.tokensPerSesion.*tokensPerSession/s,
  },
  { what: "nothing at all", budgets: { turnsPerSession: 0 }, told: /agents\.main\.budgets\.turnsPerSession/ },
])("refuses $what with its cure", ({ budgets, told }) => {
  expect(() => parse({ main: { budgets } })).toThrow(told);
});
