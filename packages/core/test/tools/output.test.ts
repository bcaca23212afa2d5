import fc from "fast-check";
import { expect, it, test } from "vitest";
import { findUtf8Boundary, OutputWindow } from "../../src/tools/output.ts";

it.each([
  ["abc", 2, 2],
  ["aé", 2, 1],
  ["aé", 3, 3],
  ["€", 2, 0],
  ["€", 3, 3],
  ["a🌱", 2, 1],
  ["a🌱", 4, 1],
  ["a🌱", 5, 5],
  ["abc", 0, 0],
])("%j cut at %i is cut at %i", (text, length, boundary) => {
  expect(findUtf8Boundary(Buffer.from(text), length)).toBe(boundary);
});

it("cuts what is no text where it is", () => {
  expect(findUtf8Boundary(Buffer.alloc(9, 0x80), 7)).toBe(7);
});

it("never cuts a character, and gives up less than one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text);
      const length = Math.min(at, bytes.length);
      const boundary = findUtf8Boundary(bytes, length);
      expect(text.startsWith(bytes.subarray(0, boundary).toString())).toBe(true);
      expect(length - boundary).toBeLessThan(4);
    }),
  );
});

test("what fits is shown as it came", () => {
  const window = new OutputWindow(100);
  window.add(Buffer.from("hello "));
  window.add(Buffer.from("wörld"));
  expect(window.format()).toBe("hello wörld");
});

test("of what does not fit the beginning and the end are shown, between whole characters", () => {
  const window = new OutputWindow(10);
  window.add(Buffer.from(`ab${"ä".repeat(50)}yz`));
  expect(window.format()).toBe("abä\n[left out here: 96 of 104 bytes]\näyz");
});

test("however it comes in pieces, the beginning and the end are those of the whole", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 40 }),
      fc.integer({ min: 2, max: 60 }),
      (pieces, limit) => {
        const window = new OutputWindow(limit);
        const ascii = pieces.map((piece) => Buffer.from(piece.map((byte) => 97 + (byte % 26))));
        for (const piece of ascii) window.add(piece);
        const whole = Buffer.concat(ascii).toString();
        if (whole.length <= limit) return window.format() === whole;
        const head = whole.slice(0, Math.ceil(limit / 2));
        const tail = whole.slice(whole.length - Math.floor(limit / 2));
        return (
          window.format() === `${head}\n[left out here: ${whole.length - limit} of ${whole.length} bytes]\n${tail}`
        );
      },
    ),
  );
});

const hide = (text: string) => text.replaceAll("hunter2-hunter2", "[secret]");

test("attack 34: no half of a secret is shown where the output is cut, wherever it is in it", () => {
  for (let before = 0; before < 120; before += 1) {
    const window = new OutputWindow(80, hide);
    window.add(Buffer.from(`${"-".repeat(before)}hunter2-`));
    window.add(Buffer.from(`hunter2${"-".repeat(140 - before)}`));
    const shown = hide(window.format());
    expect([before, shown.replaceAll("[secret]", "")]).toEqual([before, expect.not.stringMatching(/hunter|ter2/)]);
  }
});
