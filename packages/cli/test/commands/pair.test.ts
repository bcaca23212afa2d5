import { PassThrough } from "node:stream";
import type { PairingRow } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { formatPairings } from "../../src/commands/pair-list.ts";
import { formatSettled } from "../../src/commands/pair-settle.ts";

const NOW = 10_000_000;
const ROW: PairingRow = {
  channel: "telegram",
  account: "default",
  senderId: "7550356539",
  displayName: "ada",
  code: "7KQ2MXPA",
  state: "pending",
  address: "telegram/default/dm/7550356539",
  createdAtMs: NOW - 120_000,
  expiresAtMs: NOW + 58 * 60_000,
};

const show = (...rows: readonly PairingRow[]) => formatPairings(rows, { now: NOW, stream: new PassThrough() });

describe("banyan pair list", () => {
  test("is one line a person: the code, who it is, since when and how long", () => {
    const { displayName: _displayName, ...nameless } = ROW;
    expect(show(ROW, { ...nameless, account: "work", state: "approved" })).toEqual([
      "  CODE       WHO  ID          ON                STATE     ASKED      EXPIRES",
      "  7KQ2-MXPA  ada  7550356539  telegram/default  pending   2 min ago  in 58 min",
      "  7KQ2-MXPA       7550356539  telegram/work     approved  2 min ago  -",
    ]);
  });

  test("shows a name as text, whatever it holds", () => {
    expect(show({ ...ROW, displayName: "\u001b[31mada\u001b[0m\n\u202eeve" })[1]).toContain("  ada eve  7550356539  ");
  });

  test("says that nobody asks", () => {
    expect(show()).toEqual(["  no requests"]);
  });
});

test.each([
  [
    { displayName: "ada", state: "approved" },
    '  "ada" (7) is in on telegram/work; banyan pair deny telegram/work/7 removes this access',
  ],
  [{ state: "denied" }, "  7 stays out of telegram/work; banyan pair approve telegram/work/7 lets him in"],
] as const)("%j is told with the way back", (settled, line) => {
  expect(formatSettled({ channel: "telegram", account: "work", senderId: "7", ...settled })).toBe(line);
});
