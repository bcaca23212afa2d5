import { expect, it } from "vitest";
import { StoreError, sealEntryBody } from "../src/index.ts";

it.each([
  [1, '{"id":"a"}', '{"seq":1,"id":"a"}'],
  [
    4711,
    '{"id":"a","content":[{"type":"text","text":"}{"}]}',
    '{"seq":4711,"id":"a","content":[{"type":"text","text":"}{"}]}',
  ],
])("puts the place %i into an entry's body and changes nothing else", (seq, body, sealed) => {
  expect(sealEntryBody(seq, body)).toBe(sealed);
  expect(JSON.parse(sealed)).toEqual({ seq, ...JSON.parse(body) });
});

it("a store error has a code, and the holder's pid where it is known", () => {
  const cause = new Error("disk");
  expect(new StoreError("full", "no space")).toMatchObject({ name: "StoreError", code: "full", holderPid: undefined });
  expect(new StoreError("locked", "held", { cause, holderPid: 42 })).toMatchObject({
    code: "locked",
    holderPid: 42,
    cause,
  });
});
