import { expect, it } from "vitest";
import { classifySessionKey, getSubagentDepth } from "../../../src/sessions/keys/session-key-kind.ts";
import { buildSubagentSessionKey } from "../../../src/sessions/keys/subagent-session-key.ts";
import { codeOf } from "./coded-failure.ts";

it("builds a flat key that is a sub-agent's", () => {
  const key = buildSubagentSessionKey("ops", "5f0c2a52");
  expect(key).toBe("agent:ops:subagent:5f0c2a52");
  expect([classifySessionKey(key), getSubagentDepth(key)]).toEqual(["subagent", 1]);
});

it("lets no id split the key, and takes no blank one", () => {
  expect(buildSubagentSessionKey("ops", "a:subagent:b")).toBe("agent:ops:subagent:a%3Asubagent%3Ab");
  expect(codeOf(() => buildSubagentSessionKey("ops", " "))).toBe("invalid_segment");
});
