import { expect, it } from "vitest";
import { decideAudience } from "../../src/access/audience.ts";

it.each([
  [true, "open", "dm", "known"],
  [true, "open", "group", "known"],
  [false, "pairing", "dm", "known"],
  [false, "allowlist", "dm", "known"],
  [false, "disabled", "dm", "known"],
  [false, "open", "dm", "anybody"],
  [false, "allowlist", "group", "anybody"],
  [false, "allowlist", "channel", "anybody"],
] as const)("operator only %s, policy %s, %s: %s", (isOperatorOnly, dmPolicy, kind, audience) => {
  expect(decideAudience({ isOperatorOnly, dmPolicy }, kind)).toBe(audience);
});
