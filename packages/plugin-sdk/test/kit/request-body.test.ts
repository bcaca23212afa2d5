import { describe, expect, test } from "vitest";
import { createManualClock } from "../../src/kit/manual-clock.ts";
import { type BodyRead, readRequestBody } from "../../src/kit/request-body.ts";

const LIMIT_BYTES = 100_000;
const TIMEOUT_MS = 5_000;

function post(body: BodyInit | null, contentLength?: number): Request {
  const headers = contentLength === undefined ? {} : { "content-length": String(contentLength) };
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" };
  return new Request("http://127.0.0.1/", init);
}

/** Reads it while so much time passes, and checks that no alarm is left behind. */
async function read(request: Request, passesMs = 0): Promise<BodyRead> {
  const clock = createManualClock();
  const reading = readRequestBody(request, { limitBytes: LIMIT_BYTES, timeoutMs: TIMEOUT_MS, clock });
  clock.advance(passesMs);
  const done = await reading;
  expect(clock.pending).toBe(0);
  // A Buffer is equal to none but another.
  return done.status === "read" ? { ...done, bytes: new Uint8Array(done.bytes) } : done;
}

describe.each<[what: string, tell: (sizeBytes: number) => number | undefined]>([
  ["that tells its size", (sizeBytes) => sizeBytes],
  ["that tells none", () => undefined],
])("a body %s", (_, tell) => {
  test.each([0, 1, 64 * 1024, 64 * 1024 + 1, LIMIT_BYTES])("of %i bytes is read", async (sizeBytes) => {
    const bytes = new Uint8Array(sizeBytes).fill(7);
    expect(await read(post(bytes, tell(sizeBytes)))).toEqual({ status: "read", bytes });
  });

  test("of one byte over the limit is too large", async () => {
    const sizeBytes = LIMIT_BYTES + 1;
    expect(await read(post(new Uint8Array(sizeBytes), tell(sizeBytes)))).toEqual({ status: "too_large" });
  });

  test("that does not come in time is too slow", async () => {
    expect(await read(post(new ReadableStream(), tell(40)), TIMEOUT_MS)).toEqual({ status: "too_slow" });
  });

  test("that comes at the last moment is read", async () => {
    expect(await read(post("hello", tell(5)), TIMEOUT_MS - 1)).toMatchObject({ status: "read" });
  });

  test("that breaks off has broken off", async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
    expect(await read(post(broken, tell(40)))).toEqual({ status: "broken_off" });
  });
});

test("a request without a body has an empty one", async () => {
  expect(await read(post(null))).toEqual({ status: "read", bytes: new Uint8Array() });
});

test("a body without end is given up at the limit", async () => {
  let givenBytes = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      givenBytes += 10_000;
      controller.enqueue(new Uint8Array(10_000));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  expect(await read(post(endless))).toEqual({ status: "too_large" });
  expect([isCancelled, givenBytes < 2 * LIMIT_BYTES]).toEqual([true, true]);
});
