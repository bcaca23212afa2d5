import { type SessionWrite, type Step, StoreError } from "@banyan/store";
import {
  type CommitFaultAnswer,
  createDatabaseLender,
  createInlineStore,
  type InlineDatabase,
  type InlineStoreOptions,
  openInlineDatabase,
} from "@banyan/store-sqlite/inline";
import { describe, expect, onTestFinished, test } from "vitest";

const session: SessionWrite = { key: "k", sessionId: "s", agentId: "main", file: "f", expectRevision: 0, body: "{}" };
const write = { step: "write_session", writeId: "w", session } as const;

function openData(): InlineDatabase {
  const data = openInlineDatabase();
  onTestFinished(() => data.close());
  return data;
}

function openStore(options: InlineStoreOptions = {}) {
  return createInlineStore({ data: openData(), ...options });
}

function openFaulty(answers: Partial<Record<"before" | "after", CommitFaultAnswer>>) {
  const asked: string[] = [];
  const fault = (step: Step, when: "before" | "after") => {
    asked.push(`${when} ${step.step}`);
    return answers[when] ?? "none";
  };
  return { store: openStore({ fault }), asked };
}

describe("a store without threads", () => {
  test("applies a step at the moment it is sent", async () => {
    const store = openStore();
    const [sent, read] = [store.commit(write), store.read.session("k")];
    await expect(read).resolves.toMatchObject({ key: "k" });
    await expect(sent).resolves.toEqual({ status: "done", revision: 1 });
  });

  test("keeps nothing for the next one unless both are given the same database", async () => {
    const data = openData();
    await createInlineStore({ data }).commit(write);
    expect(await createInlineStore({ data }).read.session("k")).toBeDefined();
    expect(await openStore().read.session("k")).toBeUndefined();
  });

  test("takes its times from the clock it was given", async () => {
    const store = openStore({ clock: { now: () => 42 } });
    await store.commit(write);
    expect((await store.read.session("k"))?.updatedAtMs).toBe(42);
  });

  test("does not answer after it was closed, also where the database is its own", async () => {
    const store = createInlineStore();
    await store.close();
    await store.close();
    await expect(store.read.counts()).rejects.toMatchObject({ code: "closed" });
    await expect(store.commit(write)).rejects.toMatchObject({ code: "closed" });
  });

  test("answers a step that throws as a gateway's store does: nothing was written, and it goes on", async () => {
    const store = openStore();
    const timer = (id: string, dueInMs: number) => ({ id, kind: "k", subject: "s", dueInMs });
    const broken = { step: "set_timers", arm: [timer("whole", 1), timer("part", 0.5)], end: [] } as const;
    await expect(store.commit(broken)).rejects.toMatchObject({
      code: "unusable",
      message: expect.stringMatching(
        /^committing "set_timers": .*, nothing was written; this is a fault of the program/,
      ),
    });
    expect(await store.read.timers({ limit: 9 })).toEqual([]);
    await expect(store.commit(write)).resolves.toEqual({ status: "done", revision: 1 });
  });
});

describe("a lent database", () => {
  test("is as a new one, whatever its borrower left in it", async () => {
    const lender = createDatabaseLender();
    const data = lender.lend();
    onTestFinished(() => data.close());
    const item = {
      lane: "k",
      dedupe: "d",
      nativeId: "n",
      kind: "message",
      address: "a",
      body: "{}",
      laneCap: 1,
    } as const;
    const receive = {
      step: "receive",
      account: { channel: "c", account: "a" },
      items: [{ ...item, session }],
    } as const;
    const link = { channel: "c", peer: "p", person: "ada" };
    const audit = { actor: "a", action: "link", detail: "d" };
    const links = { step: "set_links", routeRevision: 0, writes: [link], audit } as const;
    const first = createInlineStore({ data, clock: { now: () => 1 } });
    const answers = [await first.commit(receive), await first.commit(links)];
    lender.takeBack(data);
    expect(lender.lend()).toBe(data);
    const second = createInlineStore({ data, clock: { now: () => 1 } });
    expect([await second.read.counts(), await second.read.routes()]).toEqual([
      await openStore().read.counts(),
      await openStore().read.routes(),
    ]);
    expect([await second.commit(receive), await second.commit(links)]).toEqual(answers);
  });

  test("answers those that had it no more", async () => {
    const lender = createDatabaseLender();
    const data = lender.lend();
    onTestFinished(() => data.close());
    const store = createInlineStore({ data });
    lender.takeBack(data);
    await expect(store.commit(write)).rejects.toMatchObject({ code: "closed" });
    expect(await createInlineStore({ data }).read.session("k")).toBeUndefined();
  });
});

describe("a commit fault", () => {
  test("is asked before and after each step", async () => {
    const { store, asked } = openFaulty({});
    await store.commit(write);
    expect(asked).toEqual(["before write_session", "after write_session"]);
  });

  test("leaves the end unknown before the step was written", async () => {
    const { store, asked } = openFaulty({ before: "commit_unknown" });
    await expect(store.commit(write)).rejects.toMatchObject({ code: "commit_unknown" });
    expect(await store.read.session("k")).toBeUndefined();
    expect(asked).toEqual(["before write_session"]);
  });

  test("leaves the end unknown after the step was written, and the repeat is already", async () => {
    const data = openData();
    const store = createInlineStore({ data, fault: (_, when) => (when === "after" ? "commit_unknown" : "none") });
    await expect(store.commit(write)).rejects.toMatchObject({ code: "commit_unknown" });
    expect(await store.read.session("k")).toBeDefined();
    await expect(createInlineStore({ data }).commit(write)).resolves.toEqual({ status: "already", revision: 1 });
  });

  test("finds the store full with nothing written, and only before", async () => {
    const { store } = openFaulty({ before: "full" });
    await expect(store.commit(write)).rejects.toMatchObject({ code: "full" });
    expect(await store.read.counts()).toMatchObject({ sessions: 0 });
    await expect(openFaulty({ after: "full" }).store.commit(write)).rejects.toThrow(RangeError);
  });

  test("closes the store for good: listeners are told once, later steps and reads are refused", async () => {
    const { store } = openFaulty({ before: "closed" });
    const told: StoreError[] = [];
    store.onFailure((error) => told.push(error));
    await expect(store.commit(write)).rejects.toBeInstanceOf(StoreError);
    await expect(store.commit(write)).rejects.toMatchObject({ code: "closed" });
    await expect(store.read.session("k")).rejects.toMatchObject({ code: "closed" });
    expect(told.map(({ code }) => code)).toEqual(["closed"]);
  });
});
