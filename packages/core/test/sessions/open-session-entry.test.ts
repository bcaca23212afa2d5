import type { SessionEntry } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { buildSessionFileName } from "../../src/sessions/keys/session-file-name.ts";
import { openSessionEntry, reopenSessionEntry, type SessionOpening } from "../../src/sessions/open-session-entry.ts";
import { parseSessionEntry } from "../../src/sessions/parse-session-entry.ts";

const KEY = "agent:main:irc:dm:7";
const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const NEXT_ID = "1f8fad5b-d9cb-469f-a165-70867728950e";
const DM = { channel: "irc", account: "work", kind: "dm", chat: "room" } as const;
const GROUP = { channel: "irc", account: "work", kind: "group", chat: "-100", thread: "5" } as const;

const FIRST = {
  sessionId: ID,
  sessionFile: buildSessionFileName(KEY, ID),
  updatedAt: 9,
  sessionStartedAt: 9,
  messageCount: 0,
};

describe("openSessionEntry", () => {
  const opening: SessionOpening = { key: KEY, sessionId: ID, now: 9 };

  it.each<[string, SessionOpening, object]>([
    ["by a program: nobody has acted", opening, FIRST],
    [
      "in a DM: the person's",
      { ...opening, place: DM, address: "irc/work/dm/room", senderId: "7" },
      {
        ...FIRST,
        lastInteractionAt: 9,
        channel: "irc",
        userId: "irc:7",
        deliveryContext: "irc/work/dm/room",
        origin: { provider: "irc", chatType: "dm", to: "room", accountId: "work", from: "7", nativeDirectUserId: "7" },
      },
    ],
    [
      "in a group: nobody's",
      { ...opening, place: GROUP, senderId: "7" },
      {
        ...FIRST,
        lastInteractionAt: 9,
        channel: "irc",
        groupId: "-100",
        origin: { provider: "irc", chatType: "group", to: "-100", accountId: "work", threadId: "5", from: "7" },
      },
    ],
  ])("opened %s", (_name, given, expected) => {
    const entry = openSessionEntry(given);
    expect(entry).toEqual(expected);
    expect(parseSessionEntry(JSON.stringify(entry))).toEqual(expected);
  });

  it("names a linked person", () => {
    expect(openSessionEntry({ ...opening, place: DM, senderId: "7", person: "alice" }).userId).toBe("alice");
    expect(openSessionEntry({ ...opening, place: GROUP, senderId: "7", person: "alice" })).not.toHaveProperty("userId");
  });
});

describe("reopenSessionEntry", () => {
  it("begins anew under the same key; what belongs to person and place stays, and what a sub-agent may do", () => {
    const kept = {
      label: "garden",
      userId: "irc:7",
      channel: "irc",
      groupId: "-100",
      groupChannel: "general",
      space: "home",
      origin: { provider: "irc" },
      deliveryContext: "irc/work/dm/room",
      modelOverride: "big",
      thinkingLevel: "high",
      spawnedBy: "agent:main:main",
      parentSessionKey: "agent:main:main",
      spawnedWorkspaceDir: "/work",
      spawnDepth: 1,
      spawnLineage: ["main"],
      subagentRole: "leaf",
      subagentControlScope: "none",
      subagentPrompt: "You are a sub-agent.",
    } as const;
    const used: SessionEntry = {
      ...openSessionEntry({ key: KEY, sessionId: ID, now: 1 }),
      ...kept,
      messageCount: 12,
      inputTokens: 5,
      errorCount: 1,
      status: "failed",
      closedAt: 8,
      context: { a: 1 },
      compactionCount: 2,
    };
    expect(reopenSessionEntry(used, { key: KEY, sessionId: NEXT_ID, now: 9 })).toEqual({
      ...FIRST,
      sessionId: NEXT_ID,
      sessionFile: buildSessionFileName(KEY, NEXT_ID),
      lastInteractionAt: 9,
      ...kept,
    });
  });
});
