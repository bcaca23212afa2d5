import type { ReceiveOptions } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { createThreadBook } from "../../src/threads/thread-book.ts";
import { putEntry, type ThreadEntry } from "../../src/threads/thread-entry.ts";

const ENTRY: ThreadEntry = { bindingId: "a", chatId: -1001, at: 0, topicId: 7 };
const STORED = `9 1 1\nthreads [${JSON.stringify(ENTRY)}]`;

/** A book whose writes wait until they are let go. */
function createDesk(stored?: string) {
  const writes: (ReceiveOptions | undefined)[] = [];
  const gates: PromiseWithResolvers<readonly []>[] = [];
  const book = createThreadBook(stored, (_, options) => {
    writes.push(options);
    const gate = Promise.withResolvers<readonly []>();
    gates.push(gate);
    return gate.promise;
  });
  const settle = async (error?: Error) => {
    const gate = gates.shift();
    if (error === undefined) gate?.resolve([]);
    else gate?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { book, writes, settle };
}

test("what is remembered stands behind the poll's cursor, and is read from there", () => {
  const { book } = createDesk(STORED);
  expect(book.cursor).toBe("9 1 1");
  expect(book.find("a")).toEqual(ENTRY);
  expect(createDesk("9 1 1").book).toMatchObject({ cursor: "9 1 1", entries: [] });
  expect(createDesk().book).toMatchObject({ cursor: undefined, entries: [] });
});

test("a batch carries it along; one write at a time, and a later one never takes back what an earlier one says", async () => {
  const { book, writes, settle } = createDesk("9 1 1");
  const first = book.receive([], { cursor: "10 1 1" });
  const second = book.store((entries) => putEntry(entries, ENTRY));
  const third = book.receive([], { cursor: "11 1 1" });
  for (let times = 0; times < 4; times += 1) await settle();
  await Promise.all([first, second, third]);
  const behind = `\nthreads [${JSON.stringify(ENTRY)}]`;
  expect(writes.map((options) => options?.cursor)).toEqual([`10 1 1${behind}`, `10 1 1${behind}`, `11 1 1${behind}`]);
});

test("a cursor whose batch was not stored is not stored with anything else", async () => {
  const { book, writes, settle } = createDesk("9 1 1");
  const lost = expect(book.receive([], { cursor: "10 1 1" })).rejects.toThrow("full");
  const stored = book.store((entries) => putEntry(entries, ENTRY));
  await settle();
  await settle(new Error("full"));
  await settle();
  await Promise.all([lost, stored]);
  expect(writes.at(-1)?.cursor).toBe(STORED);
});

test("a batch without a cursor is stored as it is, until there is something to remember", async () => {
  const { book, writes, settle } = createDesk("9 1 1");
  const plain = book.receive([], { platformNow: 5 });
  await settle();
  await plain;
  book.note((entries) => putEntry(entries, ENTRY));
  const carrying = book.receive([], { platformNow: 6 });
  await settle();
  await settle();
  await carrying;
  expect(writes).toEqual([{ platformNow: 5 }, { platformNow: 6, cursor: STORED }]);
});
