import { expect, test } from "vitest";
import { formatTable, renderPart, replacePart, WRITE_COMMAND } from "./generated-part.ts";
import { GENERATED_PARTS } from "./generated-parts.ts";

test.each(GENERATED_PARTS)("$page has the part $name as it is generated", (part) => {
  const { before, after } = renderPart(part);
  expect(before, `the page is out of date; run ${WRITE_COMMAND}`).toBe(after);
});

test("a part is written between its markers, and the rest of the page is kept", () => {
  const page = "head\n<!-- generated: keys, written by `pnpm docs:write` -->\nold\n<!-- end: keys -->\nfoot\n";
  expect(replacePart(page, "keys", "new")).toBe(page.replace("\nold\n", "\n\nnew\n\n"));
});

test("a page without markers is refused", () => {
  expect(() => replacePart("head\n", "keys", "new")).toThrow("lacks its markers");
});

test("a bar in a cell does not end the cell", () => {
  expect(formatTable(["a"], [["x | y"]])).toBe("| a |\n| --- |\n| x \\| y |");
});
