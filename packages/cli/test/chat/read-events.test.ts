import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { ChatEvent } from "../../src/chat/chat-event.ts";
import { readEvents } from "../../src/chat/read-events.ts";

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk));
  for await (const event of readEvents(Readable.from(bytes))) events.push(event);
  return events;
}

const HELLO = { id: "1", role: "user", kind: "message", text: "grüße\n\nx", at: 5 } as const;
const WIRE = `event: message\ndata: ${JSON.stringify(HELLO)}\n\n`;

test("events are read however the bytes are cut", async () => {
  const bytes = new TextEncoder().encode(`:\n\n${WIRE}`);
  const expected = [{ type: "message", message: HELLO }];
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await read(bytes.slice(0, at), bytes.slice(at))).toEqual(expected);
  }
});

test("growing answers are told with all their text", async () => {
  const events = await read(
    'event: progress\ndata: {"turnId":"t","text":"so far"}\n\nevent: progress_end\ndata: {"turnId":"t"}\n\n',
  );
  expect(events).toEqual([
    { type: "progress", turnId: "t", text: "so far" },
    { type: "progress_end", turnId: "t" },
  ]);
});

test("pings, events of a later version and a torn end are left out", async () => {
  expect(await read(":\n\n", 'event: novelty\ndata: {"a":1}\n\n', "event: message\ndata: {")).toEqual([]);
});
