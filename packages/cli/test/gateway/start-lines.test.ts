import { expect, test } from "vitest";
import { formatPairingLine } from "../../src/gateway/start-lines.ts";

const PAIRING = {
  channel: "telegram",
  account: "default",
  senderId: "7550356539",
  code: "7KQ2MXPA",
  address: "telegram/default/dm/7550356539",
};

test.each([
  ["a stranger with a name", { displayName: "ada" }, '  ? "ada" (7550356539) on telegram/default wants in'],
  ["one without", {}, "  ? 7550356539 on telegram/default wants in"],
  ["one with a name of nothing", { displayName: "\u202e \n" }, "  ? 7550356539 on telegram/default wants in"],
  [
    "one whose name is a trick on terminals",
    { displayName: "\u001b[2Kada\r\n  ? eve (1)", senderId: "7\u001b[31m" },
    '  ? "ada ? eve (1)" (7) on telegram/default wants in',
  ],
])("a start says of %s how to let him in", (_name, change, line) => {
  expect(formatPairingLine({ ...PAIRING, ...change })).toBe(`${line}: banyan pair approve 7KQ2-MXPA`);
});
