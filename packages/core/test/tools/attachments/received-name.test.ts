import fc from "fast-check";
import { expect, it, test } from "vitest";
import { findNameProblem } from "../../../src/tools/attachments/attachment-names.ts";
import { buildReceivedName } from "../../../src/tools/attachments/received-name.ts";

it.each([
  ["notes.txt", "17.1-notes.txt"],
  ["Grüße an Ada.md", "17.1-Grüße_an_Ada.md"],
  ["../../etc/passwd", "17.1-passwd"],
  ["..\\..\\boot.ini", "17.1-boot.ini"],
  [".bashrc", "17.1-bashrc"],
  ["..", "17.1-file"],
  ["a\u0000b\u202ecod.exe", "17.1-a_b_cod.exe"],
  ["con", "17.1-con"],
  [`${"x".repeat(500)}.txt`, `17.1-${"x".repeat(56)}.txt`],
  ["", "17.1-file"],
  [undefined, "17.1-file"],
])("attack 13: %j becomes %j", (name, expected) => {
  expect(buildReceivedName("17.1", name)).toBe(expected);
});

test("attack 13: whatever a sender calls a file, its name is one harmless segment of a path", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
      const built = buildReceivedName("17.1", name);
      expect(findNameProblem(built)).toBeUndefined();
      expect(built.startsWith("17.1-")).toBe(true);
    }),
  );
});
