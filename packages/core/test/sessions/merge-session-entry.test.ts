import type { SessionEntry } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import {
  mergeSessionEntry,
  mergeSessionEntryWithPolicy,
  type SessionPatch,
} from "../../src/sessions/merge-session-entry.ts";

const ENTRY: SessionEntry = {
  sessionId: "s",
  sessionFile: "f",
  updatedAt: 1,
  label: "old",
  lastInteractionAt: 5,
  messageCount: 3,
  context: { a: 1 },
};

describe("mergeSessionEntry", () => {
  it.each<[string, SessionPatch, object]>([
    ["a value replaces", { label: "new", updatedAt: 2 }, { ...ENTRY, label: "new", updatedAt: 2 }],
    [
      "zero, false and empty text are values",
      { messageCount: 0, fastMode: false, label: "" },
      { ...ENTRY, messageCount: 0, fastMode: false, label: "" },
    ],
    ["undefined leaves", { label: undefined, messageCount: undefined }, ENTRY],
    ["an object replaces as a whole", { context: { b: 2 } }, { ...ENTRY, context: { b: 2 } }],
    ["what a record cannot lack stays", { sessionId: null, sessionFile: null, updatedAt: null }, ENTRY],
    ["what a record cannot lack may be replaced", { sessionId: "t" }, { ...ENTRY, sessionId: "t" }],
    ["null of what is not there", { model: null }, ENTRY],
  ])("%s", (_name, patch, expected) => {
    expect(mergeSessionEntry(ENTRY, patch)).toEqual(expected);
  });

  it("null removes, so that the field is not even there", () => {
    expect(mergeSessionEntry(ENTRY, { label: null })).not.toHaveProperty("label");
  });

  it("keeps unknown fields and takes new ones, and changes neither record nor patch", () => {
    const existing = { ...ENTRY, fromLater: { deep: true } };
    const patch = { alsoLater: 1, label: null };
    const before = structuredClone([existing, patch]);
    expect(mergeSessionEntry(existing, patch)).toMatchObject({ fromLater: { deep: true }, alsoLater: 1 });
    expect([existing, patch]).toEqual(before);
  });

  it("lets a hostile patch reach no prototype", () => {
    mergeSessionEntry(ENTRY, JSON.parse('{"__proto__":{"polluted":1},"constructor":{"polluted":1}}'));
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("mergeSessionEntryWithPolicy", () => {
  it.each<[string, "touch-activity" | "preserve-activity", SessionPatch, number | undefined]>([
    ["touch moves it", "touch-activity", {}, 100],
    ["touch moves it whatever the patch says", "touch-activity", { lastInteractionAt: 7 }, 100],
    ["preserve keeps it", "preserve-activity", {}, 5],
    ["preserve keeps it whatever the patch says", "preserve-activity", { lastInteractionAt: 7 }, 5],
    ["preserve does not let it be removed", "preserve-activity", { lastInteractionAt: null }, 5],
  ])("%s", (_name, policy, patch, lastInteractionAt) => {
    const merged = mergeSessionEntryWithPolicy(ENTRY, { label: "new", ...patch }, { policy, now: 100 });
    expect(merged).toEqual({ ...ENTRY, label: "new", updatedAt: 100, lastInteractionAt });
  });
});
