import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentSessionKey, resolveAgentIdFromSessionKey } from "../../../src/sessions/keys/agent-session-key.ts";
import {
  buildSessionKey,
  parseSessionKeyParts,
  type SessionKeyParts,
} from "../../../src/sessions/keys/session-key-parts.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";
import { anyText, keyLikeText, keyParts } from "./session-identity.ts";

const agentId = "main";

describe("parseSessionKeyParts", () => {
  it.each<[string, SessionKeyParts]>([
    ["main", { agentId, kind: "main" }],
    ["dm:alice", { agentId, kind: "dm", peer: "alice" }],
    ["dm:dm", { agentId, kind: "dm", peer: "dm" }],
    ["dm:alice:thread:9", { agentId, kind: "dm", peer: "alice", thread: "9" }],
    ["dm:thread:thread:thread", { agentId, kind: "dm", peer: "thread", thread: "thread" }],
    ["slack:dm:U1", { agentId, kind: "dm", channel: "slack", peer: "U1" }],
    ["slack:dm:U1:thread:T1", { agentId, kind: "dm", channel: "slack", peer: "U1", thread: "T1" }],
    ["slack:work:dm:U1", { agentId, kind: "dm", channel: "slack", account: "work", peer: "U1" }],
    ["slack:work:dm:U:thread:T", { agentId, kind: "dm", channel: "slack", account: "work", peer: "U", thread: "T" }],
    ["irc:group:%23a", { agentId, kind: "group", channel: "irc", chat: "%23a" }],
    ["discord:channel:1:thread:2", { agentId, kind: "channel", channel: "discord", chat: "1", thread: "2" }],
    ["subagent:5f", { agentId, kind: "subagent", id: "5f" }],
    ["subagent:a:subagent:b", { agentId, kind: "subagent", id: "a:subagent:b" }],
    ["acp:5f", { agentId, kind: "acp", id: "5f" }],
    ["hook:deploy", { agentId, kind: "hook", id: "deploy" }],
    ["cron:daily", { agentId, kind: "cron", id: "daily" }],
    ["cron:daily:run:9b", { agentId, kind: "cron", id: "daily", run: "9b" }],
  ])("names the parts of %s", (rest, parts) => {
    const key = `agent:main:${rest}`;
    expect(parseSessionKeyParts(key)).toEqual(parts);
    expect(buildSessionKey(parts)).toBe(key);
  });

  it.each([
    "global",
    "unknown",
    "agent:main",
    "agent:main:x:y:z:dm:1",
    "agent:main:thread:dm:1",
    "agent:main:dm:thread:1",
    "agent:main:slack:work:group:1",
    "agent:main:group:1",
    "agent:main:slack:dm:1:thread:2:thread:3",
    "agent:main:slack:group:thread:1",
    "agent:main:slack:constructor:dm:1",
    "agent:main:Slack:dm:1",
    "agent:main:cron:a:run",
    "agent:main:cron:a:thread:1",
    "agent:main:acp:a:thread:1",
    "agent:main:subagent:a:subagent",
  ])("finds no parts in %s", (key) => {
    expect(parseSessionKeyParts(key)).toBeNull();
  });

  it("never throws, and what it names builds the same key", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, keyLikeText), (text) => {
        const parts = parseSessionKeyParts(text);
        if (parts !== null) expect(buildSessionKey(parts)).toBe(text);
      }),
      { numRuns: 5000 },
    );
  });

  it("reads back every part that a key was built from", () => {
    fc.assert(
      fc.property(keyParts, (parts) => {
        expect(parseSessionKeyParts(buildSessionKey(parts))).toEqual(parts);
      }),
    );
  });
});

describe("buildSessionKey", () => {
  it.each<SessionKeyParts>([
    { agentId: "Main", kind: "main" },
    { agentId, kind: "dm", peer: "a:b" },
    { agentId, kind: "dm", peer: "1:thread:2" },
    { agentId, kind: "dm", peer: "" },
    { agentId, kind: "dm", peer: "a b" },
    { agentId, kind: "dm", account: "work", peer: "1" },
    { agentId, kind: "dm", channel: "dm", peer: "1" },
    { agentId, kind: "group", channel: "Slack", chat: "1" },
    { agentId, kind: "subagent", id: "a:b" },
    { agentId, kind: "cron", id: "a:run:b" },
  ])("refuses %j, which would read back as something else", (parts) => {
    expect(codeOf(() => buildSessionKey(parts))).toBe("invalid_session_key");
    expect(messageOf(() => buildSessionKey(parts))).toMatch(MESSAGE_FORM);
  });
});

describe("parseAgentSessionKey", () => {
  it("never throws, and splits every key it accepts at the agent", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, keyLikeText), (text) => {
        const parsed = parseAgentSessionKey(text);
        if (parsed !== null) expect(`agent:${parsed.agentId}:${parsed.rest}`).toBe(text);
        expect(resolveAgentIdFromSessionKey(text)).toBe(parsed?.agentId ?? null);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ["one segment of 3 million characters", `agent:main:${"a".repeat(3e6)}`, true],
    ["one segment of a million escapes", `agent:main:${"%3A".repeat(1e6)}`, true],
    ["a million segments", `agent:main${":a".repeat(1e6)}`, true],
    ["a million characters and a blank", `agent:main:${"a".repeat(1e6)} `, false],
  ])("stays total for %s", (_name, text, parses) => {
    expect(parseAgentSessionKey(text) !== null).toBe(parses);
    expect(parseSessionKeyParts(text)).toBeNull();
  });

  it.each([undefined, null])("answers null for %j", (text) => {
    expect(parseAgentSessionKey(text)).toBeNull();
  });
});
