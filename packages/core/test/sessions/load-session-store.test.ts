import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { loadSessionStore, type SessionStoreCache } from "../../src/sessions/load-session-store.ts";

const ENTRY = {
  sessionId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  sessionFile: "a.jsonl",
  updatedAt: 1_000,
  somethingNewer: { kept: true },
};
let path = "";

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-sessions-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  path = join(folder, "sessions.json");
});

/** As the layout does: a new file in the old one's place. */
function write(text: string): void {
  writeFileSync(`${path}.tmp`, text);
  renameSync(`${path}.tmp`, path);
}

describe("loadSessionStore", () => {
  it("reads the records with the fields it does not know", async () => {
    write(JSON.stringify({ "agent:main:main": ENTRY }));
    expect({ ...(await loadSessionStore(path)) }).toEqual({ "agent:main:main": ENTRY });
  });

  it("finds no session where there is no file, and none that is called constructor", async () => {
    expect(await loadSessionStore(path)).toEqual({});
    write("{}");
    expect((await loadSessionStore(path)).constructor).toBeUndefined();
  });

  it("reads a cached file again when it was replaced, and always with skipCache", async () => {
    const cache: SessionStoreCache = new Map();
    write(JSON.stringify({ global: ENTRY }));
    const first = await loadSessionStore(path, { cache });
    expect(await loadSessionStore(path, { cache })).toBe(first);
    const fresh = await loadSessionStore(path, { cache, skipCache: true });
    expect(fresh).not.toBe(first);
    expect(await loadSessionStore(path, { cache })).toBe(fresh);
    write(JSON.stringify({ global: { ...ENTRY, label: "x" } }));
    expect((await loadSessionStore(path, { cache })).global?.label).toBe("x");
  });

  it("gives records that cannot be exchanged", async () => {
    write(JSON.stringify({ global: ENTRY }));
    expect(Object.isFrozen(await loadSessionStore(path))).toBe(true);
  });

  it.each([
    ["{", "it is no JSON"],
    ["[]", "it is no object of session keys"],
    ['{"global":"torn"}', "the record of global is none"],
    ['{"global":{"sessionId":"7"}}', "the record of global is none"],
  ])("refuses %s: %s", async (text, wrong) => {
    write(text);
    await expect(loadSessionStore(path)).rejects.toMatchObject({
      code: "state_dir_unusable",
      message: expect.stringContaining(wrong),
    });
  });
});
