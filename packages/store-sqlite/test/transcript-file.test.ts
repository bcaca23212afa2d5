import { appendFileSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineWriter } from "../src/projector/line-writer.ts";
import { appendTranscript, endsWith, mendTranscript } from "../src/projector/transcript-file.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const write = createLineWriter(undefined);
const bodies = ['{"seq":1,"text":"one"}', '{"seq":2,"text":"zwei ✓ 🌳"}', '{"seq":3}', '{"seq":4,"text":"four"}'];
const whole = Buffer.from(`${bodies.join("\n")}\n`);

describe("mending a transcript's file", () => {
  test("makes every byte prefix whole again", () => {
    const path = join(createTemporaryFolder(), "ada.jsonl");
    for (let length = 0; length <= whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      mendTranscript(path, bodies, write);
      expect(readFileSync(path, "utf8")).toBe(whole.toString());
    }
  });

  test("cuts what is after the last line", () => {
    const path = join(createTemporaryFolder(), "ada.jsonl");
    for (const garbage of ["\0", "\n", '{"seq":5', "\0\0\0\0{}\nxx"]) {
      writeFileSync(path, `${whole}${garbage}`);
      mendTranscript(path, bodies, write);
      expect(readFileSync(path, "utf8")).toBe(whole.toString());
    }
  });

  test("makes any prefix with any garbage behind it whole again", () => {
    const path = join(createTemporaryFolder(), "ada.jsonl");
    const prefix = fc.nat({ max: whole.length });
    const garbage = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constant(new Uint8Array(4_096)), fc.constant(whole));
    fc.assert(
      fc.property(prefix, garbage, (length, rest) => {
        writeFileSync(path, Buffer.concat([whole.subarray(0, length), rest]));
        mendTranscript(path, bodies, write);
        expect(readFileSync(path).equals(whole)).toBe(true);
      }),
    );
  });

  test("leaves the file as it is when the transcript was removed meanwhile", () => {
    const path = join(createTemporaryFolder(), "ada.jsonl");
    writeFileSync(path, whole);
    mendTranscript(path, [], write);
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test("never writes through a symbolic link", () => {
    const folder = createTemporaryFolder();
    writeFileSync(join(folder, "outside"), "mine");
    symlinkSync(join(folder, "outside"), join(folder, "ada.jsonl"));
    expect(() => mendTranscript(join(folder, "ada.jsonl"), bodies, write)).toThrow("ELOOP");
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe("mine");
  });
});

describe("appending to a transcript's file", () => {
  test("goes on where the file ends", () => {
    const path = join(createTemporaryFolder(), "ada.jsonl");
    expect(appendTranscript(path, { firstSeq: 1, bodies: bodies.slice(0, 3) }, write)).toBe("done");
    expect(appendTranscript(path, { firstSeq: 4, bodies: bodies.slice(3) }, write)).toBe("done");
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test("asks for mending where the file does not look like it, and writes nothing", () => {
    const path = join(createTemporaryFolder(), "ada.jsonl");
    expect(appendTranscript(path, { firstSeq: 4, bodies: bodies.slice(3) }, write)).toBe("mend");
    appendFileSync(path, "left over\n");
    expect(appendTranscript(path, { firstSeq: 1, bodies }, write)).toBe("mend");
    expect(readFileSync(path, "utf8")).toBe("left over\n");
  });
});

describe("the quick look at a file's end", () => {
  test("finds the last line, whole and on a line of its own", () => {
    const path = join(createTemporaryFolder(), "ada.jsonl");
    expect(endsWith(path, '{"seq":4}')).toBe(false);
    for (const [text, found] of [
      ['{"seq":4}\n', true],
      ['{"seq":3}\n{"seq":4}\n', true],
      ['{"seq":3}\n{"seq":4}', false],
      ['x{"seq":4}\n', false],
      ['{"seq":4}\n{', false],
    ] as const) {
      writeFileSync(path, text);
      expect([text, endsWith(path, '{"seq":4}')]).toEqual([text, found]);
    }
    truncateSync(path);
    expect(endsWith(path, '{"seq":4}')).toBe(false);
  });
});
