import { expect, it } from "vitest";
import { countStarts, decideDeath, decideProgress, decideShared, type ItemWake, isSuspect } from "../src/index.ts";

it.each<[deaths: number | undefined, wake: ItemWake | undefined, expected: boolean]>([
  [undefined, undefined, false],
  [0, undefined, false],
  [1, undefined, false],
  [2, undefined, true],
  [3, "turn", true],
  [2, "append", false],
  [9, "append", false],
])("an item with %s deaths and the wake %s is a suspect: %s", (deaths, wake, expected) => {
  expect(isSuspect({ ...(deaths === undefined ? {} : { deaths }), ...(wake === undefined ? {} : { wake }) })).toBe(
    expected,
  );
});

/** While it is active `attempt` counts the start that is cut off. */
it.each<[what: string, attempt: number, deaths: number, attemptAfter: number, deathsAfter: number]>([
  ["the first death costs nothing", 1, 0, 0, 1],
  ["nor does the second, which makes it a suspect", 1, 1, 0, 2],
  ["the third one costs the suspect an attempt", 1, 2, 1, 3],
  ["and the fourth", 2, 3, 2, 4],
  ["and the fifth, its last one", 3, 4, 3, 5],
  ["failures in the host stay counted", 2, 0, 1, 1],
])("a death: %s", (_, attempt, deaths, attemptAfter, deathsAfter) => {
  expect(decideDeath({ attempt, deaths })).toEqual({ attempt: attemptAfter, deaths: deathsAfter });
});

it("a death costs an item nothing that is only appended", () => {
  expect(decideDeath({ attempt: 1, deaths: 7, wake: "append" })).toEqual({ attempt: 0, deaths: 8 });
});

it.each<[attempt: number, deaths: number, after: number]>([
  [1, 0, 1],
  [1, 1, 1],
  [1, 2, 1],
  [2, 3, 1],
  [3, 4, 1],
  // One of these is a failure in the host.
  [3, 3, 2],
])("progress at attempt %i after %i deaths leaves attempt %i and no deaths", (attempt, deaths, after) => {
  expect(decideProgress({ attempt, deaths })).toEqual({ attempt: after, deaths: 0 });
});

it.each<[own: number, active: number, expected: number]>([
  [0, 1, 2],
  [0, 0, 1],
  [3, 1, 3],
])("a message with %i deaths that is taken along after %i has %i", (own, active, expected) => {
  expect(decideShared({ deaths: own }, { deaths: active })).toBe(expected);
});

it.each<[attempt: number, deaths: number | undefined, expected: number]>([
  [1, undefined, 1],
  [1, 1, 2],
  [1, 2, 3],
  [2, 3, 4],
  [0, undefined, 0],
  [0, 1, 1],
])("attempt %i after %s deaths is start %i of the turn", (attempt, deaths, expected) => {
  expect(countStarts({ attempt, ...(deaths === undefined ? {} : { deaths }) })).toBe(expected);
});
