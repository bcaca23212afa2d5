import { type SessionWrite, type Step, StoreError } from "@banyan/plugin-sdk/store";
import { describe, expect, it } from "vitest";
import { type CommitFaultAnswer, createMemoryData, createMemoryStore } from "../src/index.ts";

const session: SessionWrite = { key: "k", sessionId: "s", agentId: "main", file: "f", expectRevision: 0, body: "{}" };
const write = { step: "write_session", writeId: "w", session } as const;
const append = {
  step: "append_entries",
  sessionKey: "k",
  sessionId: "s",
  entries: [{ id: "e", body: '{"a":1}' }],
} as const;

function createFaulty(answers: Partial<Record<"before" | "after", CommitFaultAnswer>>) {
  const asked: string[] = [];
  const fault = (step: Step, when: "before" | "after") => {
    asked.push(`${when} ${step.step}`);
    return answers[when] ?? "none";
  };
  const store = createMemoryStore({ fault });
  return { store, asked };
}

describe("a memory store", () => {
  it("applies a step at the moment it is sent", async () => {
    const data = createMemoryData();
    const store = createMemoryStore({ data });
    const sent = store.commit(write);
    expect(data.sessions.size).toBe(1);
    await expect(sent).resolves.toEqual({ status: "done", revision: 1 });
  });

  it("hands out rows and lists that cannot change what it keeps", async () => {
    const store = createMemoryStore();
    await store.commit(write);
    await store.commit(append);
    const row = await store.read.session("k");
    expect(Object.isFrozen(row)).toBe(true);
    for (const list of [
      await store.read.sessions({ limit: 9 }),
      await store.read.entries({ sessionId: "s", limit: 9 }),
      await store.read.writers("k"),
    ]) {
      expect(list.every(Object.isFrozen)).toBe(true);
      if (Array.isArray(list)) list.length = 0;
    }
    expect(await store.read.entries({ sessionId: "s", limit: 9 })).toHaveLength(1);
    expect(await store.read.sessions({ limit: 9 })).toHaveLength(1);
  });

  it("keeps no text of what is refused", async () => {
    const data = createMemoryData();
    const store = createMemoryStore({ data });
    const text = '{"text":"secret"}';
    const item = { lane: "k", nativeId: "n", kind: "message", address: "a", body: text, laneCap: 0, session } as const;
    const items = [
      { ...item, dedupe: "1" },
      { ...item, dedupe: "2", lane: "", refused: "not allowed" },
    ];
    await store.commit({ step: "receive", account: { channel: "c", account: "a" }, items });
    expect([...data.items.values()]).toMatchObject([{ row: { body: "{}" } }, { row: { body: "{}" } }]);
  });

  it("keeps nothing for the next one unless both are given the same data", async () => {
    const data = createMemoryData();
    await createMemoryStore({ data }).commit(write);
    expect(await createMemoryStore({ data }).read.session("k")).toBeDefined();
    expect(await createMemoryStore().read.session("k")).toBeUndefined();
  });

  it("takes its times from the clock it was given", async () => {
    const store = createMemoryStore({ clock: { now: () => 42 } });
    await store.commit(write);
    expect((await store.read.session("k"))?.updatedAtMs).toBe(42);
  });

  it("does not answer reads after it was closed", async () => {
    const store = createMemoryStore();
    await store.close();
    await expect(store.read.counts()).rejects.toMatchObject({ code: "closed" });
  });
});

describe("a commit fault", () => {
  it("is asked before and after each step", async () => {
    const { store, asked } = createFaulty({});
    await store.commit(write);
    expect(asked).toEqual(["before write_session", "after write_session"]);
  });

  it("leaves the end unknown before the step was written", async () => {
    const { store, asked } = createFaulty({ before: "commit_unknown" });
    await expect(store.commit(write)).rejects.toMatchObject({ code: "commit_unknown" });
    expect(await store.read.session("k")).toBeUndefined();
    expect(asked).toEqual(["before write_session"]);
  });

  it("leaves the end unknown after the step was written, and the repeat is already", async () => {
    const data = createMemoryData();
    const store = createMemoryStore({ data, fault: (_, when) => (when === "after" ? "commit_unknown" : "none") });
    await expect(store.commit(write)).rejects.toMatchObject({ code: "commit_unknown" });
    expect(await store.read.session("k")).toBeDefined();
    await expect(createMemoryStore({ data }).commit(write)).resolves.toEqual({ status: "already", revision: 1 });
  });

  it("finds the store full with nothing written, and only before", async () => {
    const { store } = createFaulty({ before: "full" });
    await expect(store.commit(write)).rejects.toMatchObject({ code: "full" });
    expect(await store.read.counts()).toMatchObject({ sessions: 0 });
    await expect(createFaulty({ after: "full" }).store.commit(write)).rejects.toThrow(RangeError);
  });

  it("closes the store for good: listeners are told once, later steps and reads are refused", async () => {
    const { store } = createFaulty({ before: "closed" });
    const told: StoreError[] = [];
    store.onFailure((error) => told.push(error));
    await expect(store.commit(write)).rejects.toBeInstanceOf(StoreError);
    await expect(store.commit(write)).rejects.toMatchObject({ code: "closed" });
    await expect(store.read.session("k")).rejects.toMatchObject({ code: "closed" });
    expect(told.map(({ code }) => code)).toEqual(["closed"]);
  });
});
