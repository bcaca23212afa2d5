import { describe, expect, test } from "vitest";
import { findFenceAround, findFences, isInBody } from "../../src/outbound/split-fence.ts";

const NO_LIMIT = 1000;

describe("fences of a Markdown text", () => {
  test.each([
    ["no fence", "just text with `code`", []],
    ["one with a language", "a\n```ts\nx\n```\nb", [{ prefix: "```ts\n", closer: "```" }]],
    ["tildes around backticks", "~~~\n```\n~~~", [{ prefix: "~~~\n", closer: "~~~" }]],
    ["a longer fence around a shorter one", "````md\n```\nx\n```\n````", [{ prefix: "````md\n", closer: "````" }]],
    ["one that nothing closes", "```\nx", [{ prefix: "```\n", closer: "```" }]],
    ["one without even a line below", "```sh", [{ prefix: "```sh\n", closer: "```" }]],
    ["one in a list item", "- ```js\n  x\n  ```\n- y", [{ prefix: "  ```js\n", closer: "  ```" }]],
    ["one below a list item", "1. a\n   ```\n   x\n   ```", [{ prefix: "   ```\n", closer: "   ```" }]],
    ["Windows line breaks", "```ts\r\nx\r\n```\r\n", [{ prefix: "```ts\n", closer: "```" }]],
    ["inline code of three backticks", "```x``` and text\n", []],
    ["a fence in a block quote", "> ```\n> x\n> ```", []],
  ])("%s", (_name, source, expected) => {
    expect(findFences(source, NO_LIMIT)).toMatchObject(expected);
    expect(findFences(source, NO_LIMIT)).toHaveLength(expected.length);
  });

  test("a line far to the right of the opening line closes nothing", () => {
    expect(findFences("```\n    ```\nx\n```", NO_LIMIT)).toMatchObject([{ bodyStart: 4, bodyEnd: 14, end: 17 }]);
  });

  test("a fence whose marks leave no room for code is left out, the next one is still found", () => {
    const fences = findFences(`\`\`\`${"long".repeat(20)}\nx\n\`\`\`\n\`\`\`ts\ny\n\`\`\``, 40);
    expect(fences).toMatchObject([{ prefix: "```ts\n" }]);
  });

  test("a position is looked up among all fences", () => {
    const fences = findFences("```\nx\n```\n".repeat(1000), NO_LIMIT);
    const lookup = (position: number): number | undefined => findFenceAround(fences, position)?.start;
    expect([0, 1, 5, 8, 9, 10, 11, 9991, 9999, 10_000].map(lookup)).toEqual([
      undefined,
      0,
      0,
      0,
      undefined,
      undefined,
      10,
      9990,
      undefined,
      undefined,
    ]);
  });

  test("the fence lines are not in the body", () => {
    const source = "```\nx\n```";
    const [fence] = findFences(source, NO_LIMIT);
    const inBody = Array.from(source).flatMap((_, i) => (fence !== undefined && isInBody(fence, i) ? [i] : []));
    expect(inBody).toEqual([4, 5, 6]);
  });
});
