import { type Address, formatAddress } from "@banyan/plugin-sdk";
import type { NewBinding } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";
import { createRebinding } from "../bindings/rebinding.ts";
import { openTestData, removeSession } from "../open-test-store.ts";
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
  it("takes what is written there to the child, whose agent answers there; its neighbours stay as they are", async () => {
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

  it("keeps the child's record as it was made, and notes who wrote", async () => {
    const desk = await open();
    const before = await desk.store.read.session(CHILD);
    await saysIn(desk, THREAD, "hello", { addressed: true });
    const after = await desk.store.read.session(CHILD);
    expect(after?.sessionId).toBe(before?.sessionId);
    expect(JSON.parse(after?.body ?? "{}")).not.toHaveProperty("groupId");
    expect(await desk.store.read.writers(CHILD)).toMatchObject([{ channel: "irc", peer: "ada" }]);
  });

  it("a thread needs no mention; a conversation that somebody has turned to the child does", async () => {
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

  it("lets nobody in who may not talk there", async () => {
    const desk = await open();
    desk.access = { ...desk.access, groups: { ...desk.access.groups, allow: new Set() } };
    expect(await saysIn(desk, THREAD, "hello", { addressed: true })).toEqual(["refused"]);
    const mallory = { sender: { id: "mallory" } };
    await bind(desk, addressOf("mallory"), { id: "b2", kind: "focus" });
    expect(await saysIn(desk, addressOf("mallory"), "hello", mallory)).toEqual(["refused"]);
    expect(desk.runtime.turns).toEqual([]);
  });

  it("takes commands to the child as well, and their message behind them", async () => {
    const desk = await open();
    expect(await saysIn(desk, THREAD, "/status")).toEqual(["stored"]);
    expect(sentTo(desk, THREAD)).toEqual([expect.stringContaining("scout")]);
    await saysIn(desk, THREAD, "/new count again");
    expect(await desk.lines(CHILD)).toEqual(["user: count again", "assistant: re: count again"]);
  });

  it("takes an edit to what waits there", async () => {
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

  it("is free again when it is unbound, between two messages and within none", async () => {
    const desk = await open();
    await saysIn(desk, THREAD, "one", { addressed: true });
    await bind(desk, THREAD, null);
    await saysIn(desk, THREAD, "two", { addressed: true });
    expect(await desk.lines(CHILD)).toEqual(["user: one", "assistant: re: one"]);
    expect(await desk.lines(THREAD_KEY)).toEqual(["user: two", "assistant: re: two"]);
  });
});

describe("a binding whose child is gone", () => {
  it("swallows nothing: it goes, and the same message has its normal way", async () => {
    const desk = await openOrphaned();
    expect(await saysIn(desk, THREAD, "hello?", { addressed: true })).toEqual(["stored"]);
    expect(await desk.lines(THREAD_KEY)).toEqual(["user: hello?", "assistant: re: hello?"]);
    expect(sentTo(desk, THREAD)).toEqual(["re: hello?"]);
    expect((await desk.store.read.routes()).bindings).toEqual([]);
    expect(desk.ports.logged).toContainEqual(
      expect.objectContaining({ message: "a place was bound to a session that is gone; it is free" }),
    );
  });

  it("is judged by the group's rules then: what nobody meant for the bot is no message", async () => {
    const desk = await openOrphaned();
    expect(await saysIn(desk, THREAD, "just talking")).toEqual(["refused"]);
    expect(await desk.store.read.session(THREAD_KEY)).toBeUndefined();
    expect((await desk.store.read.routes()).bindings).toEqual([]);
  });

  it("is found out also where the session is still at hand, with the platform's next try", async () => {
    const data = openTestData();
    const desk = await open({ data });
    await saysIn(desk, THREAD, "one");
    removeSession(data, CHILD);
    const two = desk.message("two", { address: THREAD, addressed: true });
    expect(await desk.receive([two])).toEqual(["stored"]);
    expect(await desk.lines(THREAD_KEY)).toEqual(["user: two", "assistant: re: two"]);
  });

  it("takes the rest of its batch along, whole and in order", async () => {
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

  it("goes once for all who find it out at the same time", async () => {
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

  it("goes also where the answer to that is lost", async () => {
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

  it("goes its normal way where what it names is no agent's session", async () => {
    const desk = await open();
    await write(desk, "global");
    await bind(desk, GROVE, { id: "b2", sessionKey: "global" });
    await saysIn(desk, GROVE, "hello", { addressed: true });
    expect(await desk.lines(GROVE_KEY)).toEqual(["user: hello", "assistant: re: hello"]);
  });
});

it("a session that the store does not know for another reason is still the platform's to repeat", async () => {
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
