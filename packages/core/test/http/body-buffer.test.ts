import fc from "fast-check";
import { expect, it } from "vitest";
import { BodyBuffer } from "../../src/http/body-buffer.ts";

function collect(parts: readonly string[]): Buffer {
  const body = new BodyBuffer();
  for (const part of parts) body.add(Buffer.from(part));
  return body.take();
}

it("is what was added, in its order", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 6_000 }), { maxLength: 20 }), (sizes) => {
      const parts = sizes.map((size, at) => String.fromCharCode(97 + at).repeat(size));
      expect(collect(parts).toString("latin1") === parts.join("")).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("does not copy what comes in one part", () => {
  const part = Buffer.from("whole");
  const body = new BodyBuffer();
  body.add(part);
  expect(body.take()).toBe(part);
});

it("takes at most twice what it holds, and 4 KiB at least", () => {
  expect(collect(["a", "b"]).buffer.byteLength).toBe(4_096);
  const large = collect(Array.from({ length: 30_000 }, () => "x"));
  expect(large.byteLength).toBe(30_000);
  expect(large.buffer.byteLength).toBeLessThanOrEqual(60_000);
});
