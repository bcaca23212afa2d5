import type { SessionRow } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { createSessionCache } from "../../src/sessions/session-cache.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const MOST = 10_000;

function buildRow(key: string, revision = 1): SessionRow {
  const entry = openSessionEntry({ key: "agent:main:main", sessionId: ID, now: revision });
  const { sessionId, sessionFile: file } = entry;
  return { key, sessionId, agentId: "main", file, revision, updatedAtMs: 1, body: JSON.stringify(entry) };
}

describe("the cache", () => {
  it("holds the record of a row, and the one that was written last", () => {
    const cache = createSessionCache();
    expect(cache.find("a")).toBeUndefined();
    const record = cache.accept("a", buildRow("a", 3));
    expect(record).toMatchObject({ key: "a", agentId: "main", revision: 3, entry: { sessionId: ID } });
    expect(cache.accept("a", undefined)).toBe(record);
    cache.advance(record, { ...record.entry, label: "new" }, 4);
    expect(cache.find("a")).toMatchObject({ revision: 4, entry: { label: "new" } });
    expect(cache.accept("a", buildRow("a", 9)).revision).toBe(9);
  });

  it("forgets, and then has nothing at hand for a claim", () => {
    const cache = createSessionCache();
    cache.accept("a", buildRow("a"));
    cache.forget("a");
    cache.forget("never there");
    expect(cache.find("a")).toBeUndefined();
    expect(() => cache.accept("a", undefined)).toThrow(/it is not there; read it/);
  });

  it("knows the writers of a record for as long as it holds it", () => {
    const cache = createSessionCache();
    cache.addWriter("a", "irc:7");
    expect(cache.hasWriter("a", "irc:7")).toBe(false);
    const record = cache.accept("a", buildRow("a"));
    cache.addWriter("a", "irc:7");
    cache.advance(record, record.entry, 2);
    expect([cache.hasWriter("a", "irc:7"), cache.hasWriter("a", "irc:8"), cache.hasWriter("b", "irc:7")]).toEqual([
      true,
      false,
      false,
    ]);
    cache.forget("a");
    cache.accept("a", buildRow("a"));
    expect(cache.hasWriter("a", "irc:7")).toBe(false);
  });

  it("holds 10,000 records; the one that was used longest ago goes first", () => {
    const cache = createSessionCache();
    for (let n = 0; n < MOST; n += 1) cache.accept(`key ${n}`, buildRow(`key ${n}`));
    cache.find("key 0");
    cache.accept("key 1", buildRow("key 1"));
    for (const more of ["x", "y"]) cache.accept(more, buildRow(more));
    const kept = ["key 0", "key 1", "key 2", "key 3", "key 4", "x", "y"].filter((key) => cache.find(key) !== undefined);
    expect(kept).toEqual(["key 0", "key 1", "key 4", "x", "y"]);
  });
});
