import { expect, test } from "vitest";
import {
  type AccountState,
  closeGap,
  countShards,
  DM_GUILD,
  EMPTY_STATE,
  formatAccountState,
  noteHeard,
  noteSequence,
  noteSession,
  openGap,
  parseAccountState,
} from "../../src/state/account-state.ts";

const SESSION = { id: "s1", url: "wss://gateway.test", seq: 7 };

test("what was stored is read again", () => {
  const state: AccountState = {
    shards: [SESSION, null],
    at: "100",
    missed: { "5": "90" },
    dms: ["1", "2"],
    commands: "hash",
    drafts: [],
    shut: [
      { id: "7", parentId: "6" },
      { id: "8", parentId: "8", lacking: "Send Messages" },
    ],
  };
  expect(parseAccountState(formatAccountState(state))).toEqual(state);
});

test.each([undefined, "", "{", '"a"', '{"v":2}', '{"v":1,"at":"soon"}', '{"v":1,"shards":[{"id":1}]}'])(
  "%j begins anew",
  (cursor) => {
    expect(parseAccountState(cursor)).toEqual(EMPTY_STATE);
  },
);

/** One message more. */
function hear(state: AccountState, newest: string, dm?: string, index = 0): AccountState {
  return noteHeard(state, index, { newest, seq: 0, dms: new Set(dm === undefined ? [] : [dm]) });
}

test("the newest message counts, whatever order messages come in, and the chat that was used last comes first", () => {
  let state = hear(EMPTY_STATE, "200", "11");
  state = hear(state, "150", "12");
  state = hear(state, "300");
  state = hear(state, "250", "11");
  expect(state).toMatchObject({ at: "300", dms: ["11", "12"] });
});

test("the hundred direct chats that were used last are known", () => {
  const state = Array.from({ length: 120 }, (_, at) => String(at + 1)).reduce(
    (before, dm) => hear(before, "1", dm),
    EMPTY_STATE,
  );
  expect(state.dms).toHaveLength(100);
  expect(state.dms[0]).toBe("120");
});

test("a sequence only grows, and only that of a session that can be resumed", () => {
  const state = noteSession(EMPTY_STATE, 0, SESSION, 2);
  expect(noteSequence(state, 0, 9).shards).toEqual([{ ...SESSION, seq: 9 }, null]);
  expect(noteSequence(state, 0, 3)).toBe(state);
  expect(noteSequence(state, 1, 3)).toBe(state);
});

test("a gap begins where the last message was, and an older gap stays as old as it is", () => {
  const state = { ...EMPTY_STATE, at: "100", missed: { "5": "50" } };
  const opened = openGap(state, ["5", "6", DM_GUILD]);
  expect(opened.missed).toEqual({ "5": "50", "6": "100", dm: "100" });
  expect(closeGap(opened, "5").missed).toEqual({ "6": "100", dm: "100" });
  expect(openGap(EMPTY_STATE, ["5"])).toBe(EMPTY_STATE);
});

test("what one connection hears says nothing of the gap of another that is deaf", () => {
  const one = countShards({ ...EMPTY_STATE, at: "100" }, 2);
  const both = hear(hear(one, "200"), "150", undefined, 1);
  const later = hear(both, "900", undefined, 1);
  expect(openGap(countShards(later, 2), ["5"], 0).missed).toEqual({ "5": "200" });
  expect(openGap(later, ["6"], 1).missed).toEqual({ "6": "900" });
  expect(parseAccountState(formatAccountState(later))).toEqual(later);
  expect(countShards(later, 3).heard).toEqual(["200", "200", "200"]);
  expect(countShards(later, 1)).toEqual({ ...EMPTY_STATE, at: "200" });
  const alone = { ...EMPTY_STATE, at: "100" };
  expect(countShards(alone, 1)).toBe(alone);
});
