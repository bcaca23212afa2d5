import type { Readable, Writable } from "node:stream";

/** What a process writes, read no faster than it is taken. */
export function createByteSource(from: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = from[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      from.destroy();
    },
  });
}

/** What a process reads. Writing to one that is gone rejects. */
export function createByteSink(to: Writable): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        to.write(chunk, (error) => (error == null ? resolve() : reject(error)));
      }),
  });
}
