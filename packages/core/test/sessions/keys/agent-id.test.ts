import fc from "fast-check";
import { expect, it } from "vitest";
import { normalizeAgentId } from "../../../src/sessions/keys/agent-id.ts";
import { isPlainName } from "../../../src/sessions/keys/plain-name.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";
import { anyText } from "./session-identity.ts";

it.each([undefined, null, "", " \t"])("takes the absent agent id %j for main", (agentId) => {
  expect(normalizeAgentId(agentId)).toBe("main");
});

it.each([
  ["coding", "coding"],
  [" Ops Team ", "ops-team"],
  ["trail--", "trail--"],
  ["trail--!", "trail"],
  ["_-_x", "x"],
  ["a".repeat(64), "a".repeat(64)],
  ["a".repeat(65), "a".repeat(64)],
  [`${"a".repeat(62)}!!b`, `${"a".repeat(62)}-b`],
  [`${"a".repeat(63)}!b`, "a".repeat(63)],
])("folds %j to %j", (agentId, folded) => {
  expect(normalizeAgentId(agentId)).toBe(folded);
});

it.each(["日本", "..", "-", "_", "-_-", "\ud800"])("refuses %j rather than taking it for main", (agentId) => {
  expect(codeOf(() => normalizeAgentId(agentId))).toBe("invalid_agent_id");
  expect(messageOf(() => normalizeAgentId(agentId))).toMatch(MESSAGE_FORM);
});

it("gives a plain name that stands, or a coded error, for any text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const code = codeOf(() => normalizeAgentId(text));
      expect(["none", "invalid_agent_id"]).toContain(code);
      if (code !== "none") return;
      const agentId = normalizeAgentId(text);
      expect(isPlainName(agentId)).toBe(true);
      expect(normalizeAgentId(agentId)).toBe(agentId);
    }),
  );
});

it("repeats at most 80 characters of what it received", () => {
  const message = messageOf(() => normalizeAgentId("!".repeat(5000)));
  expect(message).toContain("and 4920 characters more");
  expect(message.length).toBeLessThan(400);
});
