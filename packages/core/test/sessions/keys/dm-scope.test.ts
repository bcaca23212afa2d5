import { describe, expect, it } from "vitest";
import { DEFAULT_DM_SCOPE, DM_SCOPES, decideDmSession } from "../../../src/sessions/keys/dm-scope.ts";
import { parseIdentityLinks } from "../../../src/sessions/keys/identity-links.ts";
import { buildSessionKey } from "../../../src/sessions/keys/session-key-parts.ts";
import { codeOf } from "./coded-failure.ts";

const LINKS = parseIdentityLinks({ alice: ["telegram:1"], "0x": ["telegram:2"] });
const place = { agentId: "main", channel: "telegram", account: "work" };

it("keeps people apart unless told otherwise", () => {
  expect(DEFAULT_DM_SCOPE).toBe("per-channel-peer");
});

describe("decideDmSession", () => {
  it.each([
    ["main", "9", "main"],
    ["main", "1", "main"],
    ["per-peer", "9", "dm:9"],
    ["per-peer", " 1 ", "dm:alice"],
    ["per-peer", "alice", "dm:%61lice"],
    ["per-peer", " alice ", "dm:%61lice"],
    ["per-peer", "0x", "dm:%30x"],
    ["per-peer", "%61lice", "dm:%2561lice"],
    ["per-peer", "Alice", "dm:Alice"],
    ["per-channel-peer", "9", "telegram:dm:9"],
    ["per-channel-peer", "1", "dm:alice"],
    ["per-channel-peer", "alice", "telegram:dm:alice"],
    ["per-account-channel-peer", "9", "telegram:work:dm:9"],
    ["per-account-channel-peer", "1", "dm:alice"],
  ] as const)("puts under %s the sender %j into %s", (scope, peerId, rest) => {
    expect(buildSessionKey(decideDmSession({ ...place, peerId }, scope, LINKS))).toBe(`agent:main:${rest}`);
  });

  it("fails closed for a sender without an id under every scope", () => {
    for (const scope of DM_SCOPES) {
      expect(codeOf(() => decideDmSession({ ...place, peerId: " " }, scope, LINKS))).toBe("invalid_segment");
    }
  });
});
