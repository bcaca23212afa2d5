import { formatAddress } from "@banyan/plugin-sdk";
import { STARTED_AT } from "@banyan/plugin-sdk/kit";
import { expect, test } from "vitest";
import { buildSnowflake } from "../../src/snowflake.ts";
import { type Draft, dropDraft, findDraft, hasRoomForDraft, parseDraft, putDraft } from "../../src/state/draft.ts";

const address = formatAddress({ channel: "discord", account: "default", kind: "channel", chat: "1" });
const DAY_MS = 24 * 3_600_000;

function build(turnId: string, changed: Partial<Draft> = {}): Draft {
  return { turnId, address, after: buildSnowflake(STARTED_AT), ...changed };
}

test("a draft is found by its turn, changed and dropped", () => {
  const drafts = putDraft([build("a")], build("a", { messageId: "9" }), STARTED_AT);
  expect(findDraft(drafts, "a")?.messageId).toBe("9");
  expect(drafts).toHaveLength(1);
  expect(dropDraft(drafts, "a")).toEqual([]);
});

test("what was delivered is remembered for a day, what was not until it is dropped", () => {
  const drafts = [build("told", { delivery: "d" }), build("open")];
  const later = putDraft(drafts, build("new"), STARTED_AT + DAY_MS + 1);
  expect(later.map(({ turnId }) => turnId)).toEqual(["open", "new"]);
  expect(putDraft(drafts, build("new"), STARTED_AT + DAY_MS - 1)).toHaveLength(3);
});

test("fifty answers grow at a time", () => {
  const drafts = Array.from({ length: 50 }, (_, at) => build(String(at)));
  expect(hasRoomForDraft(drafts)).toBe(false);
  expect(hasRoomForDraft([...drafts.slice(1), build("x", { delivery: "d" })])).toBe(true);
});

test.each([null, {}, { turnId: "a" }, { ...build("a"), address: "nowhere" }, { ...build("a"), after: "soon" }])(
  "%j is no draft",
  (value) => {
    expect(parseDraft(value)).toBeUndefined();
  },
);
