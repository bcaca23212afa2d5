import { formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { composeFileDeliveries, type FileComposition } from "../../src/outbound/compose-files.ts";

const FILES = ["a.txt", "b.txt"].map((name) => ({ name, sizeBytes: 3, sha256: "0".repeat(64) }));

/** Of each row its place among all, its words and its file. */
function compose(part: Partial<FileComposition>): readonly (readonly unknown[])[] {
  const rows = composeFileDeliveries({
    deliveryId: "d1",
    kind: "reply",
    address: formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada" }),
    text: "",
    limit: { limit: 200, measure: (text) => text.length },
    policy: "at-least-once",
    files: FILES,
    capability: { limitBytes: 10, captionLimit: 100 },
    ...part,
  });
  return rows.map(({ id, part: index, of, body }) => {
    const { text, file, replyTo } = JSON.parse(body);
    return [id, `${index} of ${of}`, text, ...(file === undefined ? [] : [file.name]), ...(replyTo ? [replyTo] : [])];
  });
}

test("each file is a part of its own, and short words are the first one's caption", () => {
  expect(compose({ text: "both", replyTo: "17" })).toEqual([
    ["d1.0", "0 of 2", "both", "a.txt", "17"],
    ["d1.1", "1 of 2", "", "b.txt"],
  ]);
  expect(compose({}).map((row) => row[2])).toEqual(["", ""]);
});

test("T3: words over the caption's limit, with room for a mark, go before the file as they would without it", () => {
  expect(compose({ text: "x".repeat(68) }).map((row) => row[1])).toEqual(["0 of 2", "1 of 2"]);
  expect(compose({ text: "x".repeat(69) })).toEqual([
    ["d1.0", "0 of 3", "x".repeat(69)],
    ["d1.1", "1 of 3", "", "a.txt"],
    ["d1.2", "2 of 3", "", "b.txt"],
  ]);
  expect(compose({ text: "words ".repeat(60) }).length).toBeGreaterThan(3);
});

test("a channel without files is told their names in words", () => {
  const [row, ...more] = compose({ text: "both", capability: undefined });
  expect(more).toEqual([]);
  expect(row?.[2]).toMatch(/^both\n\n\(.* a\.txt is in the workspace\.\)\n\n\(.* b\.txt is in the workspace\.\)$/);
});

test("without files it is a message as any other", () => {
  expect(compose({ text: "words", files: [] })).toEqual([["d1.0", "0 of 1", "words"]]);
});
