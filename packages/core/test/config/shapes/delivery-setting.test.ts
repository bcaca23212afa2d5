import { expect, it } from "vitest";
import { findDeliveryProblem, resolveDelivery } from "../../../src/config/shapes/delivery-setting.ts";

const ONCE = { delivery: "effectively-once", edits: true } as const;
const EDITS = { delivery: "at-least-once", edits: true } as const;
const PLAIN = { delivery: "at-least-once", edits: false } as const;

it.each([
  [ONCE, undefined, "effectively-once", "effectively-once"],
  [EDITS, undefined, "at-least-once", "anchor"],
  [EDITS, "anchor", "at-least-once", "anchor"],
  [EDITS, "at-least-once", "at-least-once", "at-least-once"],
  [EDITS, "at-most-once", "at-most-once", "at-most-once"],
  [PLAIN, undefined, "at-least-once", "at-least-once"],
  [PLAIN, "at-most-once", "at-most-once", "at-most-once"],
] as const)("%o with %s: messages %s, what tells of an end %s", (capabilities, setting, policy, completionPolicy) => {
  expect(resolveDelivery(capabilities, setting)).toEqual({ policy, completionPolicy });
  expect(findDeliveryProblem(capabilities, setting)).toBeUndefined();
});

it("is refused where the channel leaves no choice, or cannot edit", () => {
  expect(findDeliveryProblem(ONCE, "at-most-once")).toMatch(/nothing to choose; remove it$/);
  expect(findDeliveryProblem(PLAIN, "anchor")).toMatch(/cannot edit messages; choose at-least-once or at-most-once$/);
});
