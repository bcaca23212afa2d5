import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { splitCode } from "../../src/inbound/split-code.ts";
import { measureCpuRatio } from "../cpu-ratio.ts";
import { ada, read } from "./raw-message.ts";

describe("Discord's markup is put into words", () => {
  it.each([
    [`hi <@${ada.id}> and <@!${ada.id}>`, "hi @Countess and @Countess"],
    ["hi <@1000000000000000043>", "hi <@1000000000000000043>"],
    ["in <#1200000000000000008>", "in #pond"],
    ["in <#1200000000000000007>", "in <#1200000000000000007>"],
    ["all <@&1500000000000000002>", "all <@&1500000000000000002>"],
    ["<:oak:1400000000000000001> <a:wave:1400000000000000002>", ":oak: :wave:"],
    ["at <t:1770000000:F>", "at 2026-02-02 02:40 UTC"],
    ["at <t:1770000000>", "at 2026-02-02 02:40 UTC"],
    ["on <t:1770000000:D>", "on 2026-02-02"],
    ["at <t:999999999999999:F>", "at <t:999999999999999:F>"],
    ["try </session idle:1400000000000000003>", "try /session idle"],
    [`as \`<@${ada.id}>\` is <@${ada.id}>`, `as \`<@${ada.id}>\` is @Countess`],
    ["a < b, <b>, <https://a.example>", "a < b, <b>, <https://a.example>"],
  ])("%j is %j", (content, text) => {
    const mentions = [{ ...ada, member: { nick: "Countess", roles: [] } }];
    const mention_channels = [{ id: "1200000000000000008", guild_id: "1", type: 0, name: "pond" }];
    expect(read({ content, mentions, mention_channels })).toMatchObject({ text });
  });
});

describe("code in a text", () => {
  it.each<[text: string, code: readonly string[]]>([
    ["a `b` c", ["`b`"]],
    ["a ``b ` c`` d", ["``b ` c``"]],
    ["```ts\na `b`\n``` c", ["```ts\na `b`\n```"]],
    ["a \\`b` c", []],
    ["a \\`b `c` d", ["`c`"]],
    ["a \\\\`b` c", ["`b`"]],
    ["a `b", []],
    ["a ``b`", []],
  ])("%j", (text, code) => {
    const found = splitCode(text).filter(({ isCode }) => isCode);
    expect(found.map((piece) => piece.text)).toEqual(code);
  });

  test("is told from words without a unit being lost, for any text", () => {
    const unit = fc.constantFrom("`", "``", "```", "\\", "\n", "a", " ", "😀", "<@1>");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60, size: "max" }), (units) => {
        const text = units.join("");
        expect(
          splitCode(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  test("is told from words in proportion to the text where it is all backticks", () => {
    const split = (length: number) => () => splitCode("`a``b".repeat(length / 5));
    // Eight times the text: a search from the start for each run would take 64 times as long.
    expect(measureCpuRatio(split(40_000), split(5_000))).toBeLessThan(24);
  });
});
