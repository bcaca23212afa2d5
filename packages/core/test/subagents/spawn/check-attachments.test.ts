import { describe, expect, it } from "vitest";
import { checkAttachments } from "../../../src/subagents/spawn/check-attachments.ts";

const MIB = 1_048_576;

/** The files that pass, as name and text; or the code of the problem. */
function judge(attachments: unknown): unknown {
  const check = checkAttachments(attachments);
  if (check.kind === "problem") return check.code;
  return check.attachments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]);
}

it.each([
  [undefined, []],
  [[], []],
  [[{ name: "a.md", content: "häuser" }], [["a.md", "häuser"]]],
  [[{ name: "a.md", content: "", encoding: "utf8", mimeType: "text/markdown" }], [["a.md", ""]]],
  [[{ name: "a", content: "aMOk", encoding: "base64" }], [["a", "hä"]]],
  [[{ name: "a", content: "", encoding: "base64" }], [["a", ""]]],
  [[{ name: "a", content: "x", encoding: null, mimeType: null }], [["a", "x"]]],
  [
    [
      { name: "b", content: "1" },
      { name: "a", content: "2" },
    ],
    [
      ["b", "1"],
      ["a", "2"],
    ],
  ],
])("takes %j", (attachments, files) => {
  expect(judge(attachments)).toEqual(files);
});

it("writes a name in one form, however it came", () => {
  expect(judge([{ name: "é".normalize("NFD"), content: "x" }])).toEqual([["é".normalize("NFC"), "x"]]);
});

const many = (count: number, content: string) =>
  Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, content }));

describe("attack 14: attachments", () => {
  it.each([
    ["attachments_malformed", "no list", { name: "a" }],
    ["attachments_malformed", "null", null],
    ["attachments_malformed", "a file that is text", ["a.md"]],
    ["attachments_malformed", "no content", [{ name: "a" }]],
    ["attachments_malformed", "a path of the host", [{ name: "a", content: "", path: "/etc/passwd" }]],
    ["attachments_malformed", "another encoding", [{ name: "a", content: "", encoding: "hex" }]],
    ["attachments_too_many", "one more than 50", many(51, "x")],
    ["attachment_name_invalid", "a name that climbs", [{ name: "../a", content: "" }]],
    [
      "attachment_name_duplicate",
      "one name twice",
      [
        { name: "Notes.md", content: "1" },
        { name: "notes.MD", content: "2" },
      ],
    ],
    ["attachment_content_invalid", "no base64", [{ name: "a", content: "a b=", encoding: "base64" }]],
    ["attachment_content_invalid", "base64 without padding", [{ name: "a", content: "aMO", encoding: "base64" }]],
    ["attachment_content_invalid", "base64 of URLs", [{ name: "a", content: "_-__", encoding: "base64" }]],
    ["attachment_content_invalid", "base64 with lines", [{ name: "a", content: "aMOk\n", encoding: "base64" }]],
    ["attachment_content_invalid", "base64 with loose bits", [{ name: "a", content: "aB==", encoding: "base64" }]],
    ["attachment_content_invalid", "a lone surrogate", [{ name: "a", content: "\ud800" }]],
    ["attachment_too_large", "a byte over 1 MiB", [{ name: "a", content: "x".repeat(MIB + 1) }]],
    ["attachment_too_large", "1 MiB of characters of two bytes", [{ name: "a", content: "é".repeat(MIB) }]],
    [
      "attachment_too_large",
      "base64 of a byte over 1 MiB",
      [{ name: "a", content: Buffer.alloc(MIB + 1).toString("base64"), encoding: "base64" }],
    ],
    ["attachments_too_large", "a byte over 5 MiB in all", [...many(5, "x".repeat(MIB)), { name: "b", content: "x" }]],
  ])("are refused as %s for %s", (code, _what, attachments) => {
    expect(judge(attachments)).toBe(code);
    expect(checkAttachments(attachments)).toHaveProperty("problem", expect.stringMatching(/^[^;]+; .+$/));
  });

  it("are taken up to their limits", () => {
    expect(judge(many(50, "x"))).toHaveLength(50);
    expect(judge(many(5, "x".repeat(MIB)))).toHaveLength(5);
    const content = Buffer.alloc(MIB).toString("base64");
    expect(judge([{ name: "a", content, encoding: "base64" }])).toHaveLength(1);
  });
});

it("says which file is wrong, and nothing of what it holds", () => {
  const check = checkAttachments([
    { name: "a", content: "fine" },
    { name: "b", content: "the secret", encoding: "base64" },
  ]);
  expect(check).toHaveProperty("problem", expect.stringContaining('"b" is not base64, received 10 characters'));
  expect(JSON.stringify(check)).not.toContain("secret");
});
