import type { ServerResponse } from "node:http";
import { TransportError } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { openPlatform, openSockets, openTransport } from "./wire-platform.ts";

const MIB = 1024 * 1024;

/** Reads to the end, or to the failure. */
async function readAll(body: ReadableStream<Uint8Array> | null | undefined): Promise<number | TransportError> {
  let size = 0;
  try {
    for await (const chunk of body ?? []) size += chunk.byteLength;
    return size;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
}

/** Writes for as long as it is read. */
function writeForEver(answer: ServerResponse, written: { bytes: number }): void {
  const chunk = Buffer.alloc(64 * 1024, 1);
  const write = () => {
    while (!answer.destroyed) {
      written.bytes += chunk.length;
      if (!answer.write(chunk)) break;
    }
  };
  answer.on("drain", write);
  write();
}

describe("a streamed answer", () => {
  it("is there with its head, and its body comes whole", async () => {
    const url = await openPlatform((_request, answer) => answer.end(Buffer.alloc(3 * MIB, 7)));
    const { fetch } = openTransport();
    const answer = await fetch(url, { isStreamed: true });
    expect(answer.headers.get("content-length")).toBe(String(3 * MIB));
    expect(await readAll(answer.body)).toBe(3 * MIB);
    expect((await fetch(url)).body).toBeUndefined();
  });

  it("can be read as a text, where it turns out to be a refusal", async () => {
    const url = await openPlatform((_request, answer) => answer.writeHead(404).end('{"ok":false}'));
    const answer = await openTransport().fetch(url, { isStreamed: true });
    expect([answer.ok, await answer.json()]).toEqual([false, { ok: false }]);
  });

  it("slows the platform down to the pace of its reader", async () => {
    const written = { bytes: 0 };
    const url = await openPlatform((_request, answer) => writeForEver(answer, written));
    const answer = await openTransport().fetch(url, { isStreamed: true, limitBytes: Number.MAX_SAFE_INTEGER });
    const reader = answer.body?.getReader();
    await reader?.read();
    // What the system's own buffers hold on both sides; without the brake it would be gigabytes.
    for (let quiet = 0, before = -1; quiet < 1_000; quiet += 1) {
      if (before !== written.bytes) quiet = 0;
      before = written.bytes;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written.bytes).toBeLessThan(64 * MIB);
    await reader?.cancel();
  });

  it("that stands still fails when the time is over", async () => {
    const url = await openPlatform((_request, answer) => {
      answer.writeHead(200, { "content-length": 10 }).write("1");
    });
    const answer = await openTransport().fetch(url, { isStreamed: true, timeoutMs: 1_000 });
    expect(await readAll(answer.body)).toMatchObject({ message: expect.stringContaining("within 1000 ms") });
  });

  it("that nobody wants any more ends its connection", async () => {
    const gone = Promise.withResolvers<void>();
    const url = await openPlatform((_request, answer) => {
      answer.once("close", gone.resolve);
      writeForEver(answer, { bytes: 0 });
    });
    const answer = await openTransport().fetch(url, { isStreamed: true, limitBytes: Number.MAX_SAFE_INTEGER });
    await answer.body?.cancel();
    await gone.promise;
  });
});

describe("attack 14: a streamed answer", () => {
  it("that never ends is cut off at the limit", async () => {
    const written = { bytes: 0 };
    const url = await openPlatform((_request, answer) => writeForEver(answer, written));
    const answer = await openTransport().fetch(url, { isStreamed: true, limitBytes: MIB });
    expect(await readAll(answer.body)).toMatchObject({ sent: true, message: expect.stringContaining("over 1048576") });
  });

  it("that says to be too large is refused before its body", async () => {
    const url = await openPlatform((_request, answer) => {
      answer.writeHead(200, { "content-length": 5 * MIB }).write("x");
    });
    const call = openTransport().fetch(url, { isStreamed: true, limitBytes: MIB });
    await expect(call).rejects.toThrow("over 1048576 bytes");
  });

  it("that is longer than it said ends where it said, and its connection is not used again", async () => {
    let connections = 0;
    const url = await openSockets((socket) => {
      connections += 1;
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfour and much more"));
    });
    const { fetch } = openTransport();
    expect(await readAll((await fetch(url, { isStreamed: true })).body)).toBe(4);
    expect(await readAll((await fetch(url, { isStreamed: true })).body)).toBe(4);
    expect(connections).toBe(2);
  });

  it("that is shorter than it said is a failure, not a shorter file", async () => {
    const url = await openSockets((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\nfour"));
    });
    const answer = await openTransport().fetch(url, { isStreamed: true });
    expect(await readAll(answer.body)).toMatchObject({ sent: true, message: expect.stringContaining("in the middle") });
  });
});
