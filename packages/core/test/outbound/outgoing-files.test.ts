import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createManualClock } from "@banyan/plugin-sdk/kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOutgoingFiles, type OutgoingFiles } from "../../src/outbound/outgoing-files.ts";

const HOUR_MS = 60 * 60 * 1000;

let folder: string;
let clock: ReturnType<typeof createManualClock>;
let files: OutgoingFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "banyan-outgoing-"));
  clock = createManualClock();
  files = createOutgoingFiles(folder, {
    clock,
    createUuid: randomUUID,
    scrub: (text) => text.replaceAll("secret-4711", "[secret]"),
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function keep(content: string) {
  const path = join(folder, "source");
  writeFileSync(path, content);
  const handle = await open(path);
  try {
    const kept = await files.keep(handle);
    if (kept === "holds-secret") throw new Error("it holds a secret");
    return { name: "a.txt", ...kept };
  } finally {
    await handle.close();
  }
}

async function readBack(file: Awaited<ReturnType<typeof keep>>): Promise<string> {
  return Buffer.from(await files.open(file).read()).toString();
}

test("a copy holds what the file held, whatever becomes of the file", async () => {
  const kept = await keep("two öld oaks");
  writeFileSync(join(folder, "source"), "changed");
  expect(kept.sizeBytes).toBe(13);
  expect(await readBack(kept)).toBe("two öld oaks");
});

test("the same bytes are kept once, and nothing half-written stays", async () => {
  await keep("x".repeat(600_000));
  await keep("x".repeat(600_000));
  await keep("y");
  expect(readdirSync(join(folder, "outgoing"))).toHaveLength(2);
});

test.each([0, 262_139, 262_143, 524_288, 600_000])(
  "a secret behind %i bytes is found, and nothing of its file is kept",
  async (at) => {
    await expect(keep(`${"ö".repeat(at / 2)}${at % 2 === 1 ? "x" : ""}secret-4711 and more`)).rejects.toThrow(
      "it holds a secret",
    );
    expect(readdirSync(join(folder, "outgoing"))).toEqual([]);
  },
);

test("copies that nothing was sent by for long are removed, and what then still names one is refused for good", async () => {
  const [used, old] = [await keep("used"), await keep("old")];
  clock.advance(24 * HOUR_MS * 40_000);
  await readBack(used);
  await files.prune(HOUR_MS);
  expect(await readBack(used)).toBe("used");
  await expect(readBack(old)).rejects.toMatchObject({ name: "ChannelError", class: "permanent" });
});

test("without a folder there is nothing to remove, and a name that is no sum leads nowhere", async () => {
  await files.prune(HOUR_MS);
  const file = { name: "a", sizeBytes: 1, sha256: "../source" };
  await expect(files.open(file).read()).rejects.toMatchObject({ class: "permanent" });
});
