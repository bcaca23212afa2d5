import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalizeSessionKey } from "../../../src/sessions/keys/canonical-session-key.ts";
import { classifySessionKey } from "../../../src/sessions/keys/session-key-kind.ts";
import { anyText, keyLikeText } from "./session-identity.ts";

it.each([
  [" AGENT:Ops:telegram:dm:AbC\n", "agent:ops:telegram:dm:AbC"],
  ["agent:main:telegram:direct:direct", "agent:main:telegram:dm:direct"],
  ["agent:main:direct:direct", "agent:main:dm:direct"],
  ["agent:main:telegram:work:direct:1:thread:direct", "agent:main:telegram:work:dm:1:thread:direct"],
  ["agent:main:telegram:group:1:thread:direct", "agent:main:telegram:group:1:thread:direct"],
  ["agent:main:cron:direct", "agent:main:cron:direct"],
  ["agent:main:cron:direct:run:1", "agent:main:cron:direct:run:1"],
  ["agent:main:subagent:direct", "agent:main:subagent:direct"],
  ["agent:main:dm:direct:thread:1", "agent:main:dm:direct:thread:1"],
  ["agent:main:telegram:dm:direct:thread:1", "agent:main:telegram:dm:direct:thread:1"],
  ["agent:main:x:y", "agent:main:x:y"],
  ["Unknown", "unknown"],
])("reads %j as %j", (text, key) => {
  expect(canonicalizeSessionKey(text)).toBe(key);
});

it.each([undefined, null, "", "agent", "agent:main", "agent:a b:main", "agent: main:main", "agent:main:a%3a", "dm:1"])(
  "makes no key of %j",
  (text) => {
    expect(canonicalizeSessionKey(text)).toBeNull();
  },
);

it("never throws; what it gives is a key, and canonical", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, keyLikeText), (text) => {
      const key = canonicalizeSessionKey(text);
      if (key === null) return;
      expect(classifySessionKey(key)).not.toBe("invalid");
      expect(canonicalizeSessionKey(key)).toBe(key);
    }),
    { numRuns: 5000 },
  );
});

it("leaves every key that has a form as it is", () => {
  fc.assert(
    fc.property(keyLikeText, (text) => {
      if (!["invalid", "other"].includes(classifySessionKey(text))) expect(canonicalizeSessionKey(text)).toBe(text);
    }),
    { numRuns: 5000 },
  );
});
