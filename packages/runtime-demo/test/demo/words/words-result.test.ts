import { expect, it } from "vitest";
import {
  formatWordsResult,
  joinResults,
  parseWordsResult,
  type WordsResult,
} from "../../../src/demo/words/words-result.ts";

const NONE = { binary: 0, "too large": 0, unreadable: 0 };

it.each<[WordsResult, string]>([
  [{ words: 0, files: 0, skipped: NONE }, "0 words in 0 files."],
  [{ words: 1, files: 1, longest: { path: "a", words: 1 }, skipped: NONE }, "1 word in 1 file; the longest is a (1)."],
  [
    { words: 4210, files: 1200, longest: { path: "b (7).md", words: 2310 }, skipped: { ...NONE, "too large": 1000 } },
    "Skipped: 1,000 too large (over 1 MiB).\n4,210 words in 1,200 files; the longest is b (7).md (2,310).",
  ],
  [
    { words: 3, files: 2, longest: { path: '"x\n', words: 2 }, skipped: { binary: 1, "too large": 2, unreadable: 3 } },
    'Skipped: 1 binary, 2 too large (over 1 MiB), 3 unreadable.\n3 words in 2 files; the longest is "\\"x\\n" (2).',
  ],
])("stands in the last lines of an answer, and is read back: %j", (result, text) => {
  expect(formatWordsResult(result)).toBe(text);
  expect(parseWordsResult(`Counting.\n1 of 2 files: 9 words so far.\n${text}\n`)).toEqual(result);
});

it.each(["", "hello", "1 word in 1 file.\nand more", "docs/ has 1 word in 1 file."])("is not read from %j", (text) => {
  expect(parseWordsResult(text)).toBeUndefined();
});

it("keeps the first of several longest files", () => {
  const one = { words: 2, files: 1, longest: { path: "one", words: 2 }, skipped: NONE };
  const two = { words: 2, files: 1, longest: { path: "two", words: 2 }, skipped: NONE };
  expect(joinResults([one, two]).longest?.path).toBe("one");
  expect(joinResults([])).toEqual({ words: 0, files: 0, skipped: NONE });
});
