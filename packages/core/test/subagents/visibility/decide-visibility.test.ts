import { describe, expect, it } from "vitest";
import type { SessionVisibility } from "../../../src/config/shapes/session-visibility.ts";
import { decideVisibility, type PlacedSession } from "../../../src/subagents/visibility/decide-visibility.ts";

const ADA = "agent:main:irc:dm:ada";
const BOB = "agent:main:irc:dm:bob";
const session = (key: string, rootSessionKey = key, agentId = "main"): PlacedSession => ({
  key,
  agentId,
  rootSessionKey,
});
const ada = session(ADA);
const child = session("agent:main:subagent:one", ADA);
const sibling = session("agent:main:subagent:two", ADA);
const bob = session(BOB);
const foreignChild = session("agent:coding:subagent:three", ADA, "coding");
const foreign = session("agent:coding:irc:dm:ada", undefined, "coding");

interface Case {
  readonly who: string;
  readonly caller: PlacedSession;
  readonly target: PlacedSession;
  readonly isBelow?: boolean;
  /** With agents closed to each other. */
  readonly seenUnder: readonly SessionVisibility[];
}

const CASES: readonly Case[] = [
  { who: "itself", caller: ada, target: ada, seenUnder: ["self", "tree", "agent", "all"] },
  { who: "its child", caller: ada, target: child, isBelow: true, seenUnder: ["tree", "agent", "all"] },
  { who: "its parent", caller: child, target: ada, seenUnder: ["tree", "agent", "all"] },
  { who: "its sibling", caller: child, target: sibling, seenUnder: ["tree", "agent", "all"] },
  { who: "another person's session", caller: ada, target: bob, seenUnder: ["agent", "all"] },
  { who: "another person's session from a child", caller: child, target: bob, seenUnder: ["agent", "all"] },
  {
    who: "its child of another agent",
    caller: ada,
    target: foreignChild,
    isBelow: true,
    seenUnder: ["tree", "agent", "all"],
  },
  { who: "its parent of another agent", caller: foreignChild, target: ada, seenUnder: [] },
  { who: "a session of another agent", caller: ada, target: foreign, seenUnder: [] },
];
const LEVELS = ["self", "tree", "agent", "all"] as const;

describe("decideVisibility", () => {
  for (const { who, caller, target, isBelow = false, seenUnder } of CASES) {
    it(`shows ${who} under ${seenUnder.join(", ") || "nothing"}`, () => {
      const seen = LEVELS.filter((visibility) => {
        const rules = { visibility, agentToAgent: { enabled: false, allow: ["*"] } };
        return decideVisibility({ caller, target, isBelow, rules }) === "visible";
      });
      expect(seen).toEqual(seenUnder);
    });
  }

  it.each([
    [["*"], true, "visible"],
    [["main", "coding"], true, "visible"],
    [["main", "coding"], false, "hidden"],
    [["main"], true, "hidden"],
    [["coding"], true, "hidden"],
    [[], true, "hidden"],
  ] as const)("takes part with agents %j, enabled %s: %s", (allow, enabled, seen) => {
    const rules = { visibility: "all", agentToAgent: { enabled, allow } } as const;
    expect(decideVisibility({ caller: ada, target: foreign, isBelow: false, rules })).toBe(seen);
  });

  it("needs the visibility beside the word for other agents", () => {
    const rules = { visibility: "tree", agentToAgent: { enabled: true, allow: ["*"] } } as const;
    expect(decideVisibility({ caller: ada, target: foreign, isBelow: false, rules })).toBe("hidden");
  });
});
