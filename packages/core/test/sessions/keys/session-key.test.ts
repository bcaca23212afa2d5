import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalizeSessionKey } from "../../../src/sessions/keys/canonical-session-key.ts";
import { DM_SCOPES } from "../../../src/sessions/keys/dm-scope.ts";
import { parseIdentityLinks } from "../../../src/sessions/keys/identity-links.ts";
import { decodeSegment } from "../../../src/sessions/keys/key-segment.ts";
import {
  type AgentPeerSessionKeyInput,
  buildAgentMainSessionKey,
  buildAgentPeerSessionKey,
  resolveAgentMainSessionKey,
  resolveMainSessionKey,
  resolveThreadSessionKey,
} from "../../../src/sessions/keys/session-key.ts";
import { classifySessionKey } from "../../../src/sessions/keys/session-key-kind.ts";
import { buildSessionKey, parseSessionKeyParts } from "../../../src/sessions/keys/session-key-parts.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";
import { describeSession, identity } from "./session-identity.ts";

const PERSONS = { "telegram:1": "alice", "discord:2": "alice", "discord:A": "dm", "a:dm:1": "x" };
const LINKS = parseIdentityLinks({ alice: ["telegram:1", "discord:2"], dm: ["discord:A"], x: ["a:dm:1"] });
const scope = fc.constantFrom(...DM_SCOPES);
const dm: AgentPeerSessionKeyInput = { agentId: "main", channel: "telegram", peerKind: "dm", peerId: "1" };

it("has three names for the key of the main session", () => {
  for (const build of [buildAgentMainSessionKey, resolveMainSessionKey, resolveAgentMainSessionKey]) {
    expect(build({ agentId: " Coding " })).toBe("agent:coding:main");
  }
});

describe("buildAgentPeerSessionKey", () => {
  it("builds a key that parses, reads back part by part, and is canonical", () => {
    fc.assert(
      fc.property(identity, scope, (who, dmScope) => {
        const key = buildAgentPeerSessionKey({ ...who, dmScope, identityLinks: LINKS });
        const parts = parseSessionKeyParts(key);
        expect(parts && buildSessionKey(parts)).toBe(key);
        expect(canonicalizeSessionKey(key)).toBe(key);
        expect(["main", "dm", "group", "channel", "thread"]).toContain(classifySessionKey(key));
      }),
    );
  });

  it("gives the platform's ids back", () => {
    fc.assert(
      fc.property(identity, scope, (who, dmScope) => {
        const parts = parseSessionKeyParts(buildAgentPeerSessionKey({ ...who, dmScope }));
        if (parts === null || parts.kind === "main") return;
        const ids = "peer" in parts ? parts.peer : "chat" in parts ? parts.chat : "";
        expect(decodeSegment(ids)).toBe(who.peerId.trim());
        if ("thread" in parts && parts.thread !== undefined) {
          expect(decodeSegment(parts.thread)).toBe(who.threadId?.trim());
        }
      }),
    );
  });

  it("lets two identities share a key only where the DM scope says so", () => {
    fc.assert(
      fc.property(fc.array(identity, { minLength: 2, maxLength: 40 }), scope, (people, dmScope) => {
        const keyBySession = new Map<string, string>();
        for (const who of people) {
          const key = buildAgentPeerSessionKey({ ...who, dmScope, identityLinks: LINKS });
          const session = describeSession(who, dmScope, PERSONS);
          expect(keyBySession.get(session) ?? key).toBe(key);
          keyBySession.set(session, key);
        }
        expect(new Set(keyBySession.values()).size).toBe(keyBySession.size);
      }),
      { numRuns: 500 },
    );
  });

  it("checks also what the key does not show", () => {
    expect(codeOf(() => buildAgentPeerSessionKey({ ...dm, dmScope: "main", peerId: " " }))).toBe("invalid_segment");
    expect(codeOf(() => buildAgentPeerSessionKey({ ...dm, dmScope: "main", channel: "dm" }))).toBe("invalid_channel");
    expect(codeOf(() => buildAgentPeerSessionKey({ ...dm, peerKind: "group", accountId: "dm" }))).toBe(
      "invalid_account_id",
    );
    expect(codeOf(() => buildAgentPeerSessionKey({ ...dm, peerKind: "group", identityLinks: { A: [] } }))).toBe(
      "invalid_identity_links",
    );
  });

  it("refuses a blank thread instead of answering in the chat", () => {
    for (const threadId of ["", " "]) {
      expect(codeOf(() => buildAgentPeerSessionKey({ ...dm, threadId }))).toBe("invalid_segment");
    }
  });

  it("refuses a kind and a scope that it does not know", () => {
    const kind: AgentPeerSessionKeyInput = JSON.parse('{ "channel": "telegram", "peerId": "1", "peerKind": "room" }');
    const range: AgentPeerSessionKeyInput = { ...dm, ...JSON.parse('{ "dmScope": "per-person" }') };
    for (const input of [kind, range]) {
      expect(codeOf(() => buildAgentPeerSessionKey(input))).toBe("invalid_session_key");
      expect(messageOf(() => buildAgentPeerSessionKey(input))).toMatch(MESSAGE_FORM);
    }
  });
});

describe("resolveThreadSessionKey", () => {
  it("builds the key that buildAgentPeerSessionKey builds for the thread", () => {
    const unlinked = fc.constantFrom("per-channel-peer" as const, "per-account-channel-peer" as const);
    fc.assert(
      fc.property(identity, unlinked, (who, dmScope) => {
        const { threadId = "5", ...chat } = who;
        // Only the scope that shows the account can know it from the base.
        if (dmScope === "per-channel-peer") delete chat.accountId;
        const base = buildAgentPeerSessionKey({ ...chat, dmScope });
        expect(resolveThreadSessionKey(base, threadId)).toBe(buildAgentPeerSessionKey({ ...chat, threadId }));
      }),
    );
  });

  it("leaves the default account out, so that the thread has one key", () => {
    expect(resolveThreadSessionKey("agent:main:slack:default:dm:U1", "9")).toBe("agent:main:slack:dm:U1:thread:9");
    expect(resolveThreadSessionKey("agent:main:slack:work:dm:U1", "9")).toBe("agent:main:slack:work:dm:U1:thread:9");
  });

  it.each(["agent:main:main", "agent:main:dm:1:thread:2", "agent:main:acp:1", "agent:main:x:y", "global", "x", ""])(
    "refuses the base %j",
    (base) => {
      expect(codeOf(() => resolveThreadSessionKey(base, "1"))).toBe("invalid_session_key");
      expect(messageOf(() => resolveThreadSessionKey(base, "1"))).toMatch(MESSAGE_FORM);
    },
  );

  it.each([undefined, null, "", " "])("refuses the thread %j", (threadId) => {
    expect(codeOf(() => resolveThreadSessionKey("agent:main:dm:1", threadId))).toBe("invalid_segment");
  });
});
