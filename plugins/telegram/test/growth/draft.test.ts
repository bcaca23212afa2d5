import { formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { type Draft, type Drafts, findDraft, putDraft } from "../../src/growth/draft.ts";

const address = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "42" });
const DAY_MS = 24 * 3_600_000;

function build(turnId: string, part: Partial<Draft> = {}): Draft {
  return { turnId, address, at: 0, messageId: 7, ...part };
}

function putAll(drafts: Drafts, added: readonly Draft[], now = 0): Drafts {
  return added.reduce((known, draft) => putDraft(known, draft, now), drafts);
}

function buildMany(name: string, count: number, part: Partial<Draft> = {}): readonly Draft[] {
  return Array.from({ length: count }, (_, index) => build(`${name}-${index}`, part));
}

test("however many are delivered after it, one that still grows is found; the oldest delivered ones are forgotten", () => {
  const delivered = buildMany("told", 60, { delivery: "answer" });
  const drafts = putAll([build("slow")], delivered);
  expect(drafts).toHaveLength(50);
  expect(drafts.map(({ turnId }) => turnId)).toEqual(["slow", ...delivered.slice(11).map(({ turnId }) => turnId)]);
});

test("the one that is written down is kept, also where all others still grow", () => {
  const growing = buildMany("slow", 60);
  const drafts = putAll([], [...growing, build("new", { delivery: "answer" })]);
  expect(drafts).toHaveLength(61);
  expect(findDraft(drafts, "new")?.delivery).toBe("answer");
});

test("what stands for ever does not add up without an end", () => {
  const drafts = putAll([], buildMany("stuck", 120));
  expect([drafts.length, drafts[0]?.turnId]).toEqual([100, "stuck-20"]);
});

test("a delivered one is forgotten after a day", () => {
  const drafts = putAll([build("told", { delivery: "answer" }), build("slow")], [build("new")], DAY_MS + 1);
  expect(drafts.map(({ turnId }) => turnId)).toEqual(["slow", "new"]);
});
