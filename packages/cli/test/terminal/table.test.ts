import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { expect, test, vi } from "vitest";
import { formatTable } from "../../src/terminal/table.ts";

const PLAIN = new PassThrough();

test("columns are as wide as their widest cell and lines end with their text", () => {
  const lines = formatTable(
    ["KEY", "NAME", ""],
    [
      ["a", "日本", "x"],
      ["longer", "b\nc", ""],
    ],
    PLAIN,
  );
  expect(lines).toEqual(["  KEY     NAME", "  a       日本  x", "  longer  b c"]);
});

test("a table without titles has no head", () => {
  expect(formatTable(["", ""], [["a", "b"]], PLAIN)).toEqual(["  a  b"]);
});

test("titles are dim on a terminal, and plain where NO_COLOR is set", () => {
  vi.stubEnv("FORCE_COLOR", undefined);
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("TERM", "xterm");
  const { getColorDepth } = WriteStream.prototype;
  // What a terminal says of itself, wherever the test runs.
  const readEnv = () => ({ TERM: "xterm", ...(process.env.NO_COLOR === "1" ? { NO_COLOR: "1" } : {}) });
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => getColorDepth(readEnv()) });
  expect(formatTable(["KEY"], [], terminal)).toEqual(["\u001b[2m  KEY\u001b[22m"]);
  vi.stubEnv("NO_COLOR", "1");
  expect(formatTable(["KEY"], [], terminal)).toEqual(["  KEY"]);
});
