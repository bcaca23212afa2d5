import { type Address, formatAddress } from "@banyan/plugin-sdk";
import type { NewBinding, RouteSnapshot } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { createRouteState } from "../../src/inbound/route-state.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";
import { createRebinding } from "../bindings/rebinding.ts";
import { openTestData, openTestStore, removeSession } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";
import { addressOf, CoreDesk, type CoreDeskOptions } from "../turns/core-desk.ts";

const CHILD = "agent:scout:subagent:5f0c";
const GROVE = groveAddress();
const THREAD = groveAddress("7");
const GROVE_KEY = "agent:main:irc:group:grove";
const THREAD_KEY = `${GROVE_KEY}:thread:7`;

function groveAddress(thread?: string): Address {
  const place = { channel: "irc", account: "default", kind: "group", chat: "grove" } as const;
  return formatAddress(thread === undefined ? place : { ...place, thread });
}

async function write(desk: CoreDesk, key: string, agentId = "main"): Promise<void> {
  const entry = openSessionEntry({ key, sessionId: desk.ports.createUuid(), now: 1_000 });
  const session = buildSessionWrite({ key, agentId, revision: 0 }, entry);
  await desk.store.commit({ step: "write_session", writeId: key, session });
}

async function bind(desk: CoreDesk, address: Address, binding: Partial<NewBinding> | null): Promise<void> {
  const whole = { id: "b1", address, sessionKey: CHILD, kind: "thread", ...binding } as const;
  const step = { step: "bind", address, timers: [], endTimers: [] } as const;
  const effect = binding === null ? { binding, bindingId: whole.id } : { binding: whole };
  const bound = await desk.store.commit({ ...step, ...effect });
  expect(bound.status).toBe("done");
}

/** A desk whose thread 7 belongs to a child. */
async function open(options: CoreDeskOptions = {}): Promise<CoreDesk> {
  const desk = await new CoreDesk(options).connect();
  await write(desk, CHILD, "scout");
  await bind(desk, THREAD, {});
  return desk;
}

/** The same, but the child is gone though its binding stands, as no driver leaves it. */
async function openOrphaned(options: CoreDeskOptions = {}): Promise<CoreDesk> {
  const { data = openTestData() } = options;
  const desk = await open({ ...options, data });
  removeSession(data, CHILD);
  return desk;
}

const saysIn = (desk: CoreDesk, address: Address, text: string, more = {}) =>
  desk.receive([desk.message(text, { address, ...more })]);
const sentTo = (desk: CoreDesk, address: Address) =>
  desk.sent.filter((message) => message.address === address).map(({ text }) => text);

describe("a place that is bound to a child session", () => {
  it("leads to the child, whose agent answers there; other places are not affected", async () => {
    const desk = await open();
    expect(await saysIn(desk, THREAD, "hello child", { addressed: true })).toEqual(["stored"]);
    await saysIn(desk, GROVE, "hello grove", { addressed: true });
    await saysIn(desk, groveAddress("8"), "hello eight", { addressed: true });
    await desk.says("hello");
    expect(await desk.lines(CHILD)).toEqual(["user: hello child", "assistant: re: hello child"]);
    expect(desk.runtime.opened.map(({ agentId }) => agentId)).toEqual(["scout", "main", "main", "main"]);
    expect(sentTo(desk, THREAD)).toEqual(["re: hello child"]);
    const keys = (await desk.store.read.sessions({ limit: 9 })).map(({ key }) => key);
    expect(keys).toEqual(["agent:main:irc:dm:ada", GROVE_KEY, `${GROVE_KEY}:thread:8`, CHILD]);
  });

  it("keeps the child's record, and stores who wrote", async () => {
    const desk = await open();
    const before = await desk.store.read.session(CHILD);
    await saysIn(desk, THREAD, "hello", { addressed: true });
    const after = await desk.store.read.session(CHILD);
    expect(after?.sessionId).toBe(before?.sessionId);
    expect(JSON.parse(after?.body ?? "{}")).not.toHaveProperty("groupId");
    expect(await desk.store.read.writers(CHILD)).toMatchObject([{ channel: "irc", peer: "ada" }]);
  });

  it("a thread needs no mention; a chat that is focused on the child does", async () => {
    const desk = await open();
    expect(await saysIn(desk, THREAD, "and the birds")).toEqual(["stored"]);
    expect(await saysIn(desk, GROVE, "just talking")).toEqual(["refused"]);
    await bind(desk, GROVE, { id: "b2", kind: "focus" });
    expect(await saysIn(desk, GROVE, "still just talking")).toEqual(["refused"]);
    expect(await saysIn(desk, GROVE, "tell me", { addressed: true })).toEqual(["stored"]);
    expect(await desk.lines(CHILD)).toEqual([
      "user: and the birds",
      "assistant: re: and the birds",
      "user: tell me",
      "assistant: re: tell me",
    ]);
  });

  it("gives no access to people who have none there", async () => {
    const desk = await open();
    desk.access = { ...desk.access, groups: { ...desk.access.groups, allow: new Set() } };
    expect(await saysIn(desk, THREAD, "hello", { addressed: true })).toEqual(["refused"]);
    const mallory = { sender: { id: "mallory" } };
    await bind(desk, addressOf("mallory"), { id: "b2", kind: "focus" });
    expect(await saysIn(desk, addressOf("mallory"), "hello", mallory)).toEqual(["refused"]);
    expect(desk.runtime.turns).toEqual([]);
  });

  it("leads commands and their messages to the child as well", async () => {
    const desk = await open();
    expect(await saysIn(desk, THREAD, "/status")).toEqual(["stored"]);
    expect(sentTo(desk, THREAD)).toEqual([expect.stringContaining("scout")]);
    await saysIn(desk, THREAD, "/new count again");
    expect(await desk.lines(CHILD)).toEqual(["user: count again", "assistant: re: count again"]);
  });

  it("leads an edit to the message that waits there", async () => {
    const desk = await open();
    const free = Promise.withResolvers<void>();
    const { play } = desk.runtime;
    desk.runtime.play = async function* (turn) {
      await free.promise;
      yield* play(turn);
    };
    await saysIn(desk, THREAD, "first");
    const second = desk.message("secnod", { address: THREAD });
    await desk.receive([second]);
    await desk.receive([{ ...second, text: "second", editedAt: desk.ports.clock.now() + 1 }]);
    free.resolve();
    await desk.receive([], "1");
    expect(await desk.lines(CHILD)).toEqual([
      "user: first",
      "assistant: re: first",
      "user: second",
      "assistant: re: second",
    ]);
  });

  it("is routed normally again after it is unbound, from the next message on", async () => {
    const desk = await open();
    await saysIn(desk, THREAD, "one", { addressed: true });
    await bind(desk, THREAD, null);
    await saysIn(desk, THREAD, "two", { addressed: true });
    expect(await desk.lines(CHILD)).toEqual(["user: one", "assistant: re: one"]);
    expect(await desk.lines(THREAD_KEY)).toEqual(["user: two", "assistant: re: two"]);
  });
});

describe("a binding whose child session is gone", () => {
  it("loses nothing: it is removed, and the same message is routed normally", async () => {
    const desk = await openOrphaned();
    expect(await saysIn(desk, THREAD, "hello?", { addressed: true })).toEqual(["stored"]);
    expect(await desk.lines(THREAD_KEY)).toEqual(["user: hello?", "assistant: re: hello?"]);
    expect(sentTo(desk, THREAD)).toEqual(["re: hello?"]);
    expect((await desk.store.read.routes()).bindings).toEqual([]);
    expect(desk.ports.logged).toContainEqual(
      expect.objectContaining({ message: "removed the binding of a place to a session that is gone" }),
    );
  });

  it("is replaced by the group's rules: a message that is not for the bot is refused", async () => {
    const desk = await openOrphaned();
    expect(await saysIn(desk, THREAD, "just talking")).toEqual(["refused"]);
    expect(await desk.store.read.session(THREAD_KEY)).toBeUndefined();
    expect((await desk.store.read.routes()).bindings).toEqual([]);
  });

  it("is found even if the session is still cached", async () => {
    const data = openTestData();
    const desk = await open({ data });
    await saysIn(desk, THREAD, "one");
    removeSession(data, CHILD);
    const two = desk.message("two", { address: THREAD, addressed: true });
    expect(await desk.receive([two])).toEqual(["stored"]);
    expect(await desk.lines(THREAD_KEY)).toEqual(["user: two", "assistant: re: two"]);
  });

  it("does not affect the rest of its batch", async () => {
    const desk = await openOrphaned();
    const batch = [
      desk.message("before"),
      desk.message("hello?", { address: THREAD, addressed: true }),
      desk.message("after"),
    ];
    expect(await desk.receive(batch, "c9")).toEqual(["stored", "stored", "stored"]);
    expect(await desk.lines()).toEqual([
      "user: before",
      "assistant: re: before",
      "user: after",
      "assistant: re: after",
    ]);
    expect(await desk.store.read.cursor("irc", "default")).toBe("c9");
  });

  it("is removed once if several batches find it at the same time", async () => {
    const desk = await openOrphaned();
    const say = (text: string) => saysIn(desk, THREAD, text, { addressed: true });
    expect(await Promise.all([say("one"), say("two"), say("three")])).toEqual([["stored"], ["stored"], ["stored"]]);
    expect(desk.steps.filter(({ step }) => step === "bind")).toHaveLength(2);
    expect(await desk.lines(THREAD_KEY)).toHaveLength(6);
  });

  it("goes alone: what was bound there since it was read stays, and has the message", async () => {
    const data = openTestData();
    const fault = createRebinding(data, { id: "b2", sessionKey: "agent:main:irc:dm:ada" });
    const desk = await openOrphaned({ data, fault });
    await desk.says("hello");
    expect(await saysIn(desk, THREAD, "hello?", { addressed: true })).toEqual(["stored"]);
    expect((await desk.store.read.routes()).bindings.map(({ id }) => id)).toEqual(["b2"]);
    expect((await desk.lines()).slice(2)).toEqual(["user: hello?", "assistant: re: hello?"]);
  });

  it("is removed also if the store's answer is lost", async () => {
    let lost = 2;
    const desk = await openOrphaned({
      fault(step, when) {
        if (step.step !== "bind" || step.binding !== null || when === "before" || lost === 0) return "none";
        lost -= 1;
        return "commit_unknown";
      },
    });
    const received = desk.receive([desk.message("hello?", { address: THREAD, addressed: true })]);
    await desk.ports.clock.advance(10_000);
    expect(await received).toEqual(["stored"]);
    expect(await desk.lines(THREAD_KEY)).toEqual(["user: hello?", "assistant: re: hello?"]);
  });

  it("is ignored where it does not name an agent's session", async () => {
    const desk = await open();
    await write(desk, "global");
    await bind(desk, GROVE, { id: "b2", sessionKey: "global" });
    await saysIn(desk, GROVE, "hello", { addressed: true });
    expect(await desk.lines(GROVE_KEY)).toEqual(["user: hello", "assistant: re: hello"]);
  });
});

it("a session that is missing for another reason makes the plugin send the batch again", async () => {
  const data = openTestData();
  const desk = await open({ data });
  await desk.says("one");
  removeSession(data, "agent:main:irc:dm:ada");
  const batch = [desk.message("hello child", { address: THREAD }), desk.message("two")];
  await expect(desk.receive(batch)).rejects.toThrow("the store refused it (no_session)");
  expect((await desk.store.read.routes()).bindings).toHaveLength(1);
  expect(await desk.receive(batch)).toEqual(["stored", "stored"]);
  expect(await desk.lines(CHILD)).toEqual(["user: hello child", "assistant: re: hello child"]);
});

/** A store whose reads of routes end when a test says so, each with the revision at its beginning. */
function createSlowStore() {
  const { read } = openTestStore({ clock: createTestPorts().clock });
  const snapshot: RouteSnapshot = { revision: 0, approved: [], links: [], chatMoves: [], bindings: [] };
  const ends: ((error?: Error) => void)[] = [];
  const store = {
    revision: 0,
    reads: 0,
    read: {
      ...read,
      routes: async () => {
        store.reads += 1;
        const { revision } = store;
        const ended = Promise.withResolvers<void>();
        ends.push((error) => (error === undefined ? ended.resolve() : ended.reject(error)));
        await ended.promise;
        return { ...snapshot, revision };
      },
    },
    /** Ends the reads that have begun. */
    async settle(error?: Error) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const end of ends.splice(0)) end(error);
    },
  };
  return store;
}

it("six that ask at once share one read", async () => {
  const store = createSlowStore();
  const state = createRouteState(store, parseIdentityLinks({}));
  const asked = Promise.all(Array.from({ length: 6 }, () => state.refresh()));
  await store.settle();
  expect(new Set(await asked)).toEqual(new Set([state.view]));
  expect(store.reads).toBe(1);
});

it("those that ask while a read is under way share the next one, which sees what was committed before they asked", async () => {
  const store = createSlowStore();
  const state = createRouteState(store, parseIdentityLinks({}));
  const first = state.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  store.revision = 1;
  const later = Promise.all(Array.from({ length: 6 }, () => state.refresh()));
  await store.settle();
  expect((await first).revision).toBe(0);
  await store.settle();
  expect((await later).map(({ revision }) => revision)).toEqual(Array(6).fill(1));
  expect([store.reads, state.view.revision]).toEqual([2, 1]);
});

it("a read that fails rejects for those who asked for it; the next one is made", async () => {
  const store = createSlowStore();
  const state = createRouteState(store, parseIdentityLinks({}));
  const first = expect(state.refresh()).rejects.toThrow("full");
  await store.settle(new Error("full"));
  await first;
  store.revision = 2;
  const second = state.refresh();
  await store.settle();
  expect((await second).revision).toBe(2);
});
