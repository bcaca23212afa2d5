import type { Clock } from "../port/clock.ts";

/** What became of reading a request's body. */
export type BodyRead =
  | { readonly status: "read"; readonly bytes: Uint8Array }
  | { readonly status: "too_large" }
  /** What comes of it later is nobody's request: answer 408, and close the connection. */
  | { readonly status: "too_slow" }
  | { readonly status: "broken_off" };

export interface BodyLimits {
  readonly limitBytes: number;
  /** For the whole body. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** A body of a known size up to this is taken whole, without a stream, which costs as much as the rest of the request. */
const WHOLE_BYTES = 64 * 1024;

/**
 * Reads the body of a request that a channel serves, once. It stops at the first byte over the limit and at the end of the
 * time: one without end costs no more than that. The server holds a body to the length that it names. Never rejects.
 */
export async function readRequestBody(
  request: Request,
  { limitBytes, timeoutMs, clock }: BodyLimits,
): Promise<BodyRead> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > limitBytes) return { status: "too_large" };
  const isSmall = length !== null && Number(length) <= WHOLE_BYTES;
  const late = Promise.withResolvers<"late">();
  const cancelAlarm = clock.schedule(timeoutMs, () => late.resolve("late"));
  try {
    return await (isSmall ? readWhole(request, late.promise) : readStream(request, limitBytes, late.promise));
  } catch {
    // Only the sender's connection can break here, and nobody is left to be told.
    return { status: "broken_off" };
  } finally {
    cancelAlarm();
  }
}

/** No more comes than the length that was named: the server sees to that. */
async function readWhole(request: Request, late: Promise<"late">): Promise<BodyRead> {
  const whole = await Promise.race([request.arrayBuffer(), late]);
  return whole === "late" ? { status: "too_slow" } : { status: "read", bytes: new Uint8Array(whole) };
}

async function readStream(request: Request, limitBytes: number, late: Promise<"late">): Promise<BodyRead> {
  if (request.body === null) return { status: "read", bytes: new Uint8Array() };
  const reader = request.body.getReader();
  try {
    return await readChunks(reader, limitBytes, late);
  } finally {
    // Frees the connection from the rest of the body; one that is read to its end or broken has nothing to cancel.
    reader.cancel().catch(() => undefined);
  }
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limitBytes: number,
  late: Promise<"late">,
): Promise<BodyRead> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for (;;) {
    const next = await Promise.race([reader.read(), late]);
    if (next === "late") return { status: "too_slow" };
    if (next.done) return { status: "read", bytes: Buffer.concat(chunks, sizeBytes) };
    sizeBytes += next.value.byteLength;
    if (sizeBytes > limitBytes) return { status: "too_large" };
    chunks.push(next.value);
  }
}
