import { formatAddress } from "@banyan/plugin-sdk";
import type { DeliveryBody } from "@banyan/store";
import { describe, expect, it, test } from "vitest";
import {
  type Composition,
  composeDeliveries,
  composeFileDeliveries,
  type FileComposition,
} from "../../src/outbound/compose-deliveries.ts";

const CHAT = formatAddress({ channel: "irc", account: "work", kind: "group", chat: "a/b" });
const ADDRESS = formatAddress({ channel: "irc", account: "work", kind: "group", chat: "a/b", thread: "7" });

function compose(more: Partial<Composition> = {}) {
  const limit = { limit: 100, measure: (text: string) => text.length };
  return composeDeliveries({
    deliveryId: "d",
    kind: "reply",
    address: ADDRESS,
    text: "hello",
    limit,
    policy: "at-least-once",
    ...more,
  });
}

function bodyOf(row: { readonly body: string } | undefined): DeliveryBody {
  return JSON.parse(row?.body ?? "{}");
}

describe("composeDeliveries", () => {
  it("makes one row of a short message, with its place, its chat and nothing else", () => {
    expect(compose()).toEqual([
      {
        id: "d.0",
        deliveryId: "d",
        part: 0,
        of: 1,
        kind: "reply",
        channel: "irc",
        account: "work",
        address: ADDRESS,
        chat: CHAT,
        policy: "at-least-once",
        body: '{"text":"hello"}',
      },
    ]);
  });

  it("makes a row for each part, in order, each within the limit; only the first answers a message", () => {
    const text = Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n");
    const rows = compose({ text, replyTo: "m", sessionKey: "agent:main:main", policy: "effectively-once" });
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.map(({ id, part }) => [id, part])).toEqual(rows.map((_, part) => [`d.${part}`, part]));
    expect(new Set(rows.map(({ of }) => of))).toEqual(new Set([rows.length]));
    expect(rows.map((row) => bodyOf(row).replyTo)).toEqual(["m", ...rows.slice(1).map(() => undefined)]);
    expect(rows.map((row) => bodyOf(row).text.length).every((size) => size <= 100)).toBe(true);
    expect(rows.map((row) => bodyOf(row).text).join("")).toBe(text);
    expect(rows.every((row) => row.sessionKey === "agent:main:main" && row.policy === "effectively-once")).toBe(true);
  });

  it("keeps the indentation with which a part begins", () => {
    const text = Array.from({ length: 30 }, (_, line) => `${" ".repeat(2 * (line % 4))}- line ${line}`).join("\n");
    const texts = compose({ text }).map((row) => bodyOf(row).text);
    expect(texts.slice(1).filter((part) => part.startsWith("  ")).length).toBeGreaterThan(0);
    expect(texts.join("")).toBe(text);
  });

  it("says on the first part of a completion which runs it tells of, and on every row the newest", () => {
    const childSessionKey = "agent:main:subagent:r2";
    const announcement = {
      runId: "r2",
      childSessionKey,
      completion: { runId: "r2", childSessionKey, task: "count", outcome: "done", result: "3", durationMs: 1 },
      alsoRunIds: ["r1"],
    } as const;
    const rows = compose({ kind: "completion", text: "line\n".repeat(40), announcement });
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      expect(row).toMatchObject({ kind: "completion", runId: "r2" });
      expect(bodyOf(row).announcement).toEqual(row.part === 0 ? announcement : undefined);
    }
  });

  it("closes and opens a fence that a cut goes through", () => {
    const rows = compose({ text: `\`\`\`js\n${"x = 1;\n".repeat(40)}\`\`\`` });
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(bodyOf(row).text.match(/```/g)).toHaveLength(2);
  });

  it("gives each part of a quiet message a key of its own", () => {
    const rows = compose({ text: "word ".repeat(40), quiet: { key: "k", ms: 5 } });
    expect(rows.map(({ quiet }) => quiet)).toEqual(rows.map((_, part) => ({ key: `k|${part}`, ms: 5 })));
  });

  it.each(["", " ", "\n\t "])("makes no row of %j", (text) => {
    expect(compose({ text })).toEqual([]);
  });

  it("stores a lone surrogate as the sign that stands for it", () => {
    expect(bodyOf(compose({ text: "a\ud800b" })[0]).text).toBe("a\ufffdb");
  });
});

const FILES = ["a.txt", "b.txt"].map((name) => ({ name, sizeBytes: 3, sha256: "0".repeat(64) }));

/** Of each row its place among all, its words and its file. */
function composeFiles(part: Partial<FileComposition>): readonly (readonly unknown[])[] {
  const rows = composeFileDeliveries({
    deliveryId: "d1",
    kind: "reply",
    address: formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada" }),
    text: "",
    limit: { limit: 200, measure: (text) => text.length },
    policy: "at-least-once",
    files: FILES,
    capability: { limitBytes: 10, captionLimit: 100 },
    ...part,
  });
  return rows.map(({ id, part: index, of, body }) => {
    const { text, file, replyTo } = JSON.parse(body);
    return [id, `${index} of ${of}`, text, ...(file === undefined ? [] : [file.name]), ...(replyTo ? [replyTo] : [])];
  });
}

test("each file is a part of its own, and short words are the first one's caption", () => {
  expect(composeFiles({ text: "both", replyTo: "17" })).toEqual([
    ["d1.0", "0 of 2", "both", "a.txt", "17"],
    ["d1.1", "1 of 2", "", "b.txt"],
  ]);
  expect(composeFiles({}).map((row) => row[2])).toEqual(["", ""]);
});

test("T3: words over the caption's limit, with room for a mark, go before the file as they would without it", () => {
  expect(composeFiles({ text: "x".repeat(68) }).map((row) => row[1])).toEqual(["0 of 2", "1 of 2"]);
  expect(composeFiles({ text: "x".repeat(69) })).toEqual([
    ["d1.0", "0 of 3", "x".repeat(69)],
    ["d1.1", "1 of 3", "", "a.txt"],
    ["d1.2", "2 of 3", "", "b.txt"],
  ]);
  expect(composeFiles({ text: "words ".repeat(60) }).length).toBeGreaterThan(3);
});

test("a channel without files is told their names in words", () => {
  const [row, ...more] = composeFiles({ text: "both", capability: undefined });
  expect(more).toEqual([]);
  expect(row?.[2]).toMatch(/^both\n\n\(.* a\.txt is in the workspace\.\)\n\n\(.* b\.txt is in the workspace\.\)$/);
});

test("without files it is a message as any other", () => {
  expect(composeFiles({ text: "words", files: [] })).toEqual([["d1.0", "0 of 1", "words"]]);
});
