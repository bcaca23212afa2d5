import type { EntryRow } from "@banyan/store";
import { expect, test } from "vitest";
import { leaveOutSetBack } from "../../src/sessions/set-back.ts";
import {
  buildAnswerEntry,
  buildInputEntry,
  buildInterruptionEntry,
  formatEntry,
} from "../../src/sessions/transcript.ts";

const stamp = (id: string) => ({ id, timestamp: 0 });
const ask = (id: string) => formatEntry(buildInputEntry(stamp(id), { text: id }));
const say = (id: string) =>
  formatEntry(buildAnswerEntry(stamp(id), { text: id, stopReason: "stopped", provider: "p" }));
const row = (itemSeq: number, { id, body }: { id: string; body: string }): EntryRow => ({
  id,
  body,
  itemSeq,
  seq: 1,
  sessionId: "s",
  sessionKey: "k",
});
const idsOf = (rows: readonly EntryRow[]) => leaveOutSetBack(rows).map(({ id }) => id);

test("of turns that were set back what was said to the agent stays, and that they were cut off", () => {
  const cut = formatEntry(buildInterruptionEntry(stamp("cut"), { itemSeqs: [2, 3], isSetBack: true }));
  const rows = [
    row(1, ask("a")),
    row(1, say("A")),
    row(2, ask("b")),
    row(2, say("B")),
    row(3, ask("c")),
    row(3, say("C")),
  ];
  expect(idsOf([...rows, row(3, cut), row(4, ask("d"))])).toEqual(["a", "A", "b", "c", "cut", "d"]);
});

test("of those that were only cut off all stays", () => {
  const cut = formatEntry(buildInterruptionEntry(stamp("cut"), { itemSeqs: [2] }));
  expect(idsOf([row(2, ask("b")), row(2, say("B")), row(2, cut)])).toEqual(["b", "B", "cut"]);
});
