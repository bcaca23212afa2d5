import { posix, win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  buildReceivedName,
  findNameProblem,
  foldAttachmentName,
  normalizeAttachmentName,
} from "../../../src/tools/attachments/attachment-name.ts";
import { anyText } from "../../sessions/keys/session-identity.ts";

it.each([
  "notes.md",
  "Bericht 2026 (1).pdf",
  "日本語.txt",
  "é".normalize("NFC"),
  "console.log",
  "a..b",
  "-rf",
  "com10",
  "x".repeat(100),
])("takes the name %j", (name) => {
  expect(findNameProblem(name)).toBeUndefined();
});

describe("attack 13: names of attachments", () => {
  it.each([
    ["", "is empty"],
    [".", "begins with a dot"],
    ["..", "begins with a dot"],
    [".env", "begins with a dot"],
    ["../a", "holds one of"],
    ["a/b", "holds one of"],
    ["a\\b", "holds one of"],
    ["c:a", "holds one of"],
    ["a\0b", "cannot be seen"],
    ["a\nb", "cannot be seen"],
    ["a\u007fb", "cannot be seen"],
    ["a\u202etxt.exe", "cannot be seen"],
    ["a\u2066b", "cannot be seen"],
    ["a\u200bb", "cannot be seen"],
    ["a\u2028b", "cannot be seen"],
    ["a\u00a0b", "cannot be seen"],
    ["a\ud800", "cannot be seen"],
    [" a", "begins or ends with a space"],
    ["a ", "begins or ends with a space"],
    ["a.", "ends with a dot"],
    ["nul", "reserved on Windows"],
    ["CON", "reserved on Windows"],
    ["com1.txt", "reserved on Windows"],
    ["Lpt9 .md", "reserved on Windows"],
    ["COM².txt", "reserved on Windows"],
    ["conin$", "reserved on Windows"],
    ["x".repeat(101), "longer than 100 bytes"],
    ["é".repeat(51), "longer than 100 bytes"],
  ])("refuses %j: it %s", (name, problem) => {
    expect(findNameProblem(normalizeAttachmentName(name))).toContain(problem);
  });

  it("leave their folder on no system, whatever they are", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      ":",
      "c:",
      "con",
      "a",
      "~",
      "%2e",
      "\u202e",
      "\u0000",
      " ",
      "é",
      "$",
      "`",
    );
    const text = fc.oneof(
      anyText,
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
    );
    let passed = 0;
    fc.assert(
      fc.property(text, (written) => {
        const name = normalizeAttachmentName(written);
        if (findNameProblem(name) !== undefined) return;
        passed += 1;
        expect(posix.dirname(posix.resolve("/srv/run", name))).toBe("/srv/run");
        expect(posix.basename(posix.resolve("/srv/run", name))).toBe(name);
        expect(win32.dirname(win32.resolve("C:\\run", name))).toBe("C:\\run");
        expect(win32.basename(win32.resolve("C:\\run", name))).toBe(name);
        expect(Buffer.from(name).toString()).toBe(name);
      }),
      { numRuns: 2_000 },
    );
    expect(passed).toBeGreaterThan(0);
  });
});

it.each([
  ["Notes.md", "notes.MD"],
  ["é.txt".normalize("NFD"), "É.txt"],
  ["straße", "STRASSE"],
])("takes %j and %j for one name", (one, other) => {
  const [first, second] = [one, other].map((name) => foldAttachmentName(normalizeAttachmentName(name)));
  expect(first).toBe(second);
});

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
