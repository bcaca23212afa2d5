import { expect, it } from "vitest";
import { createOneTimeCode, formatOneTimeCode, parseOneTimeCode } from "../../src/access/one-time-code.ts";
import { createPorts } from "../../src/ports/ports.ts";

const quiet = () => undefined;
const PORTS = createPorts({ log: { debug: quiet, info: quiet, warn: quiet, error: quiet } });

it("attack 9: is eight symbols of 32 that nobody misreads, each as likely as another", () => {
  const codes = Array.from({ length: 4_000 }, () => createOneTimeCode(PORTS));
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  expect(new Set(codes).size).toBe(codes.length);
  const counts = Map.groupBy(codes.join(""), (symbol) => symbol);
  expect(counts.size).toBe(32);
  for (const found of counts.values()) expect(Math.abs(found.length - 1_000)).toBeLessThan(250);
});

it("takes every byte there is", () => {
  const seen = new Set<string>();
  for (let first = 0; first < 256; first += 8) {
    const code = createOneTimeCode({
      randomBytes: (count) => Uint8Array.from({ length: count }, (_, at) => first + at),
    });
    for (const symbol of code) seen.add(symbol);
  }
  expect(seen.size).toBe(32);
});

it.each([
  ["7KQ2-MXPA", "7KQ2MXPA"],
  [" 7kq2mxpa ", "7KQ2MXPA"],
  ["7kq2 mxpa", "7KQ2MXPA"],
  ["oil0-0000", "01100000"],
  ["7KQ2-MXP", undefined],
  ["7KQ2-MXPAA", undefined],
  ["7KQ2-MXPU", undefined],
  ["7KQ2-MXPÄ", undefined],
  ["", undefined],
  ["telegram/default/7", undefined],
])("reads %j as %j", (typed, code) => {
  expect(parseOneTimeCode(typed)).toBe(code);
});

it("reads back what is shown", () => {
  const code = createOneTimeCode(PORTS);
  expect(formatOneTimeCode(code)).toMatch(/^.{4}-.{4}$/);
  expect(parseOneTimeCode(formatOneTimeCode(code).toLowerCase())).toBe(code);
});
