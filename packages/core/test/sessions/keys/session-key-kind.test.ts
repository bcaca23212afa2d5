import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentSessionKey } from "../../../src/sessions/keys/agent-session-key.ts";
import { classifySessionKey, getSubagentDepth } from "../../../src/sessions/keys/session-key-kind.ts";
import { buildSessionKey, parseSessionKeyParts } from "../../../src/sessions/keys/session-key-parts.ts";
import { anyText, keyLikeText, keyParts } from "./session-identity.ts";

describe("classifySessionKey", () => {
  it("never throws, and agrees with the parsers", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, keyLikeText), (text) => {
        const kind = classifySessionKey(text);
        const isAgentKey = kind !== "invalid" && kind !== "global" && kind !== "unknown";
        expect(isAgentKey).toBe(parseAgentSessionKey(text) !== null);
        expect(isAgentKey && kind !== "other").toBe(parseSessionKeyParts(text) !== null);
      }),
      { numRuns: 5000 },
    );
  });

  it("knows the kind of every key that is not a chat's", () => {
    fc.assert(
      fc.property(keyParts, (parts) => {
        expect(classifySessionKey(buildSessionKey(parts))).toBe(parts.kind);
      }),
    );
  });

  it.each([undefined, null, "", " global", "Global"])("calls %j invalid", (key) => {
    expect(classifySessionKey(key)).toBe("invalid");
  });
});

describe("getSubagentDepth", () => {
  it.each([
    ["agent:main:subagent:a", 1],
    ["agent:main:subagent:a:subagent:b", 2],
    ["agent:main:subagent:subagent:subagent:subagent", 2],
    ["agent:main:subagent:a:subagent", 0],
    ["agent:main:subagent:a:thread:1", 0],
    ["agent:main:telegram:dm:subagent", 0],
    ["agent:main:x:subagent:a", 0],
    ["agent:subagent:main", 0],
    ["subagent:a", 0],
    ["global", 0],
  ])("counts in %s %i pairs", (key, depth) => {
    expect(getSubagentDepth(key)).toBe(depth);
  });

  it("counts any number of pairs", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (depth) => {
        expect(getSubagentDepth(`agent:main${":subagent:a".repeat(depth)}`)).toBe(depth);
      }),
    );
  });

  it("never throws, and is above 0 exactly for sub-agents", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, keyLikeText), (text) => {
        expect(getSubagentDepth(text) > 0).toBe(classifySessionKey(text) === "subagent");
      }),
      { numRuns: 5000 },
    );
  });
});
