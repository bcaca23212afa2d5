import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAgentFolderName } from "../../../src/sessions/keys/agent-folder-name.ts";
import { DM_SCOPES } from "../../../src/sessions/keys/dm-scope.ts";
import { buildSessionFileName } from "../../../src/sessions/keys/session-file-name.ts";
import { buildAgentPeerSessionKey } from "../../../src/sessions/keys/session-key.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";
import { identity } from "./session-identity.ts";

const SESSION_ID = "0F8FAD5B-d9cb-469f-a165-70867728950e";
const SAFE_NAME = /^[a-z0-9][a-z0-9_.@+=-]*--[0-9a-f]{16}--[0-9a-f]{8}\.jsonl$/;

/** The same keys in every run, so that a failure can be repeated. */
const randomKeys = fc.sample(
  fc
    .tuple(identity, fc.constantFrom(...DM_SCOPES), fc.string({ unit: "binary", minLength: 1, maxLength: 80 }))
    .filter(([, , id]) => id.trim() !== "" && id.isWellFormed())
    .map(([who, dmScope, peerId]) => buildAgentPeerSessionKey({ ...who, dmScope, peerId })),
  { numRuns: 20_000, seed: 20_260_101 },
);

describe("buildSessionFileName", () => {
  it.each([
    ["agent:main:main", /^agent_main_main--[0-9a-f]{16}--0f8fad5b\.jsonl$/],
    ["global", /^global--[0-9a-f]{16}--0f8fad5b\.jsonl$/],
    ["agent:main:slack:dm:U1%3A", /^agent_main_slack_dm_u1=3a--/],
    ["agent:main:slack:group:..:thread:1.5", /^agent_main_slack_group____thread_1\.5--/],
  ])("names the file of %s readably", (key, name) => {
    expect(buildSessionFileName(key, SESSION_ID)).toMatch(name);
  });

  it("hashes the whole key", () => {
    // printf %s agent:main:main | sha256sum
    expect(buildSessionFileName("agent:main:main", SESSION_ID)).toContain("--6d9217fe77c7f11d--");
  });

  it("gives 20,000 random keys path-safe names, no two of them equal", () => {
    const keys = new Set(randomKeys);
    expect(keys.size).toBeGreaterThan(15_000);
    const names = new Set<string>();
    for (const key of keys) {
      const name = buildSessionFileName(key, SESSION_ID);
      if (!SAFE_NAME.test(name) || name.includes("..") || name.length > 194) expect.fail(`${key} is named ${name}`);
      names.add(name);
    }
    expect(names.size).toBe(keys.size);
  });

  it("keeps keys apart that differ in case, in their encoding, or behind the limit", () => {
    const long = `agent:main:matrix:group:${"r".repeat(300)}`;
    for (const [one, other] of [
      ["agent:main:slack:dm:u1", "agent:main:slack:dm:U1"],
      ["agent:main:x:a_b", "agent:main:x:a:b"],
      ["agent:main:x:%3A", "agent:main:x:=3A"],
      [`${long}1`, `${long}2`],
    ] as const) {
      expect(buildSessionFileName(one, SESSION_ID)).not.toBe(buildSessionFileName(other, SESSION_ID));
    }
  });

  it("keeps the readable part within 160 bytes", () => {
    const name = buildSessionFileName(`agent:main:matrix:group:${"%C3%A9".repeat(300)}`, SESSION_ID);
    expect(name.indexOf("--")).toBe(160);
    expect(Buffer.byteLength(name)).toBe(194);
  });

  it("starts a new file with a new session id", () => {
    const fresh = SESSION_ID.replace("0F", "1F");
    expect(buildSessionFileName("global", fresh)).not.toBe(buildSessionFileName("global", SESSION_ID));
  });

  it.each(["", "main", "agent:main:../../x", "agent:main:a/b", "con"])("refuses %j, which is no key", (key) => {
    expect(codeOf(() => buildSessionFileName(key, SESSION_ID))).toBe("invalid_session_key");
    expect(messageOf(() => buildSessionFileName(key, SESSION_ID))).toMatch(MESSAGE_FORM);
  });

  it.each(["", "../../..", "12345678", `${SESSION_ID}/..`])("refuses the session id %j", (sessionId) => {
    expect(codeOf(() => buildSessionFileName("global", sessionId))).toBe("invalid_segment");
    expect(messageOf(() => buildSessionFileName("global", sessionId))).toMatch(MESSAGE_FORM);
  });
});

describe("buildAgentFolderName", () => {
  it.each([
    ["main", "main"],
    ["con", "con+"],
    ["com1", "com1+"],
    ["com10", "com10"],
    ["console", "console"],
  ])("names the folder of %s %s", (agentId, folder) => {
    expect(buildAgentFolderName(agentId)).toBe(folder);
  });

  it.each(["", "..", "a/b", "Main", "con+"])("refuses %j, which is no agent id", (agentId) => {
    expect(codeOf(() => buildAgentFolderName(agentId))).toBe("invalid_agent_id");
    expect(messageOf(() => buildAgentFolderName(agentId))).toMatch(MESSAGE_FORM);
  });
});
