import { describe, expect, it } from "vitest";
import { findOpening, parseThreadEntries, putEntry, type ThreadEntry } from "../../src/threads/thread-entry.ts";

const HOUR_MS = 3_600_000;
const begun = (bindingId: string, more: Partial<ThreadEntry> = {}): ThreadEntry => ({
  bindingId,
  chatId: -1001,
  at: 0,
  name: "census",
  ...more,
});
const news = { chatId: -1001, topicId: 7, name: "census" };

describe("which opening a new topic is of", () => {
  it.each<[what: string, list: readonly ThreadEntry[], found: string | undefined]>([
    ["the one of its name", [begun("a", { name: "walk" }), begun("b")], "b"],
    ["the first of several", [begun("a"), begun("b")], "a"],
    ["none of another chat", [begun("a", { chatId: -1002 })], undefined],
    ["none whose topic is known", [begun("a", { topicId: 6 }), begun("b")], "b"],
    ["none where it is known whose it is", [begun("a"), begun("b", { topicId: 7, name: undefined })], undefined],
    ["one that was taken back", [begun("a", { isWithdrawn: true })], "a"],
    ["however its blanks are written", [begun("a", { name: " census\u00a0" })], "a"],
  ])("%s", (_, list, found) => {
    expect(findOpening(list, news)?.bindingId).toBe(found);
  });
});

describe("what is remembered", () => {
  it("is one entry for each opening, and a topic for one of them: what an answer says goes before what was concluded", () => {
    const list = [begun("a", { topicId: 7 }), begun("b")];
    const next = putEntry(list, begun("b", { topicId: 7, name: undefined }));
    expect(next.map(({ bindingId, topicId }) => [bindingId, topicId])).toEqual([
      ["a", undefined],
      ["b", 7],
    ]);
  });

  it("is forgotten when nobody can ask any more, and never more than a hundred", () => {
    const list = [begun("a", { name: undefined, topicId: 1 }), begun("b")];
    const ids = (at: number) => putEntry(list, begun("c", { at })).map(({ bindingId }) => bindingId);
    expect(ids(5 * HOUR_MS)).toEqual(["a", "b", "c"]);
    expect(ids(47 * HOUR_MS)).toEqual(["b", "c"]);
    expect(ids(48 * HOUR_MS)).toEqual(["c"]);
    const many = Array.from({ length: 150 }, (_, nth) => begun(`n${nth}`));
    const kept = many.reduce<readonly ThreadEntry[]>((all, entry) => putEntry(all, entry), []);
    expect(kept).toHaveLength(100);
    expect(kept.at(-1)?.bindingId).toBe("n149");
  });

  it("takes no more than 64 KiB where it is stored, and a hundred names of the longest have room in it", () => {
    const put = (name: string) =>
      Array.from({ length: 150 }, (_, nth) =>
        begun(`${nth}`.padStart(36, "0"), { chatId: -1001234567890, name }),
      ).reduce<readonly ThreadEntry[]>((all, entry) => putEntry(all, entry), []);
    expect(put("\u6811".repeat(128))).toHaveLength(100);
    const escaped = put("\u0001".repeat(128));
    expect(Buffer.byteLength(JSON.stringify(escaped))).toBeLessThanOrEqual(64 * 1024);
    expect(escaped.at(-1)?.bindingId).toMatch(/149$/);
    expect(put("x".repeat(70_000))).toHaveLength(1);
  });

  it("is nothing where what is stored is none of it", () => {
    for (const text of ["", "[", "{}", '[{"bindingId":1}]']) expect(parseThreadEntries(text)).toEqual([]);
    const list = [begun("a", { topicId: 7, goodbye: "said" })];
    expect(parseThreadEntries(JSON.stringify(list))).toEqual(list);
  });
});
