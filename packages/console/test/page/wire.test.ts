import { describe, expect, test } from "vitest";
import { parseTokenAddress } from "../../src/page/access-token.ts";
import { parseChatEvent } from "../../src/page/chat-event.ts";
import { parseChatMessage } from "../../src/page/chat-message.ts";
import { EventReader } from "../../src/page/event-reader.ts";
import { decideRetryWaitMs } from "../../src/page/retry-wait.ts";
import { parseUnsentMessages } from "../../src/page/unsent-messages.ts";

const MESSAGE = { id: "m1", role: "user", kind: "message", text: "hello", at: 1 };

describe("the event stream", () => {
  const wire = ':\n\nevent: message\ndata: {"a":1}\n\ndata: x\r\ndata:y\r\nid: 1\r\n\r\n: ping\nevent: none\n\n';
  const events = [
    { type: "message", data: '{"a":1}' },
    { type: "message", data: "x\ny" },
  ];

  test("is read whole", () => {
    expect(new EventReader().read(wire)).toEqual(events);
  });

  test("is read in pieces, wherever they break", () => {
    for (let size = 1; size < wire.length; size += 1) {
      const reader = new EventReader();
      const pieces = wire.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(pieces.flatMap((piece) => reader.read(piece))).toEqual(events);
    }
  });

  test.each([
    ["message", MESSAGE, { type: "message", message: MESSAGE }],
    ["progress", { turnId: "t", text: "a" }, { type: "progress", turnId: "t", text: "a" }],
    ["progress_end", { turnId: "t" }, { type: "progress_end", turnId: "t" }],
    ["progress", { turnId: "t" }, undefined],
    ["message", { id: "m1" }, undefined],
    ["later", { turnId: "t" }, undefined],
    ["message", null, undefined],
  ])("%s with %o", (type, data, event) => {
    expect(parseChatEvent(type, JSON.stringify(data))).toEqual(event);
  });
});

test.each([
  [MESSAGE, MESSAGE],
  [{ ...MESSAGE, kind: undefined, later: 1 }, MESSAGE],
  [{ ...MESSAGE, role: "system" }, undefined],
  [{ ...MESSAGE, text: 1 }, undefined],
  ["m1", undefined],
])("of %o the message is %o", (value, message) => {
  expect(parseChatMessage(value)).toEqual(message);
});

test.each([
  ["http://a:1/?token=t", "t", "http://a:1/"],
  ["http://a:1/#token=t", "t", "http://a:1/"],
  ["http://a:1/?x=1&token=t&y=2#z", "t", "http://a:1/?x=1&y=2#z"],
  ["http://a:1/?token=a%2Bb", "a+b", "http://a:1/"],
  ["http://a:1/?token=", undefined, "http://a:1/"],
  ["http://a:1/", undefined, "http://a:1/"],
])("the address %s has the token %s and becomes %s", (address, token, clean) => {
  expect(parseTokenAddress(address)).toEqual({ token, clean });
});

test.each([
  [null, []],
  ["no JSON", []],
  ["{}", []],
  ['[{"id":"a","text":"b","at":1},{"id":"a"},null]', [{ id: "a", text: "b", at: 1 }]],
])("unsent messages are read from %s", (stored, messages) => {
  expect(parseUnsentMessages(stored)).toEqual(messages);
});

test("retries come less often, and never more than some 20 s apart", () => {
  expect([0, 1, 2, 5, 99].map((tries) => decideRetryWaitMs(tries, 0.5))).toEqual([500, 1000, 2000, 15_000, 15_000]);
  expect(decideRetryWaitMs(0, 0)).toBe(375);
  expect(decideRetryWaitMs(99, 0.999)).toBeLessThan(20_000);
});
