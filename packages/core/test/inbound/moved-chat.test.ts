import { type Address, ChannelError, formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { CoreDesk, type CoreDeskOptions } from "../turns/core-desk.ts";
import { faultAt } from "../turns/desk-fault.ts";
import { aborted, says } from "../turns/played-runtime.ts";

const OLD = groupAddress("grove");
const NEW = groupAddress("-100grove");
const OLD_KEY = "agent:main:irc:group:grove";
const NEW_KEY = "agent:main:irc:group:-100grove";

function groupAddress(chat: string, thread?: string): Address {
  const place = { channel: "irc", account: "default", kind: "group", chat } as const;
  return formatAddress(thread === undefined ? place : { ...place, thread });
}

async function open(options: CoreDeskOptions = {}): Promise<CoreDesk> {
  return new CoreDesk(options).connect();
}

async function saysThere(desk: CoreDesk, address: Address, text: string): Promise<void> {
  const outcomes = await desk.receive([desk.message(text, { address, addressed: true })]);
  expect(outcomes).toEqual(["stored"]);
}

function sentTo(desk: CoreDesk, address: Address): readonly string[] {
  return desk.sent.filter((message) => message.address === address).map(({ text }) => text);
}

/** The platform takes nothing at the old id any more, and says where the group is. */
function moveAtPlatform(desk: CoreDesk): void {
  desk.refuse = ({ address }) =>
    address.startsWith(OLD)
      ? new ChannelError("migrated", "A message was sent: the group is a supergroup now", { migratedTo: NEW })
      : undefined;
}

async function keysOf(desk: CoreDesk): Promise<readonly string[]> {
  return (await desk.store.read.sessions({ limit: 99 })).map(({ key }) => key);
}

describe("a group that moves to another id", () => {
  it("keeps its history and threads, and is still allowed by its old id", async () => {
    const desk = await open();
    await saysThere(desk, OLD, "before");
    await saysThere(desk, groupAddress("grove", "7"), "in the thread");
    await desk.moves.migrateChat({ from: OLD, to: NEW });
    expect(await keysOf(desk)).toEqual([NEW_KEY, `${NEW_KEY}:thread:7`]);
    await saysThere(desk, NEW, "after");
    expect(await desk.lines(NEW_KEY)).toEqual([
      "user: before",
      "assistant: re: before",
      "user: after",
      "assistant: re: after",
    ]);
    expect(sentTo(desk, NEW)).toEqual(["re: after"]);
    const row = await desk.store.read.session(NEW_KEY);
    expect(JSON.parse(row?.body ?? "")).toMatchObject({
      groupId: "-100grove",
      deliveryContext: NEW,
      origin: { to: "-100grove", chatType: "group" },
    });
  });

  it("is logged once, audited once, and may be reported again", async () => {
    const desk = await open();
    await saysThere(desk, OLD, "before");
    for (let times = 0; times < 3; times += 1) await desk.moves.migrateChat({ from: OLD, to: NEW });
    const told = desk.ports.logged.filter(({ message }) => /goes on as/.test(message));
    expect(told.map(({ message }) => message)).toEqual([
      "the group grove goes on as -100grove; name -100grove in groups.allow",
    ]);
    expect(await desk.store.read.audit({ limit: 9 })).toMatchObject([
      { actor: "irc/default", action: "migrate-chat", detail: "grove -100grove" },
    ]);
  });

  it("moves a running turn: it runs again there and answers once", async () => {
    const desk = await open();
    let isFirst = true;
    desk.runtime.play = async function* ({ input, signal }) {
      if (!isFirst) return yield* says(`re: ${input.input[0]?.text}`);
      isFirst = false;
      await aborted(signal);
      yield { type: "end", reason: "stopped" };
    };
    await saysThere(desk, OLD, "long");
    await saysThere(desk, OLD, "and this");
    await desk.moves.migrateChat({ from: OLD, to: NEW });
    await quiet();
    expect(desk.turns.running).toBe(0);
    expect(sentTo(desk, NEW)).toEqual(["re: long", "re: and this"]);
    expect(sentTo(desk, OLD)).toEqual([]);
    expect(await desk.lines(NEW_KEY)).toEqual([
      "user: long",
      "assistant: re: long",
      "user: and this",
      "assistant: re: and this",
    ]);
  });

  it("joins the session that the new id has begun already, and loses nothing that waits in the old one", async () => {
    const desk = await open();
    await saysThere(desk, OLD, "before");
    desk.access = { ...desk.access, groups: { ...desk.access.groups, policy: "open" } };
    await saysThere(desk, NEW, "first there");
    await desk.moves.migrateChat({ from: OLD, to: NEW });
    expect(await keysOf(desk)).toEqual([NEW_KEY, OLD_KEY]);
    await saysThere(desk, NEW, "after");
    expect(sentTo(desk, NEW)).toEqual(["re: first there", "re: after"]);
  });

  it("is reported by each of two bots there, and what waits for each moves with its own report", async () => {
    const desk = await open();
    const of = (chat: string) => formatAddress({ channel: "irc", account: "two", kind: "group", chat });
    const { access } = desk;
    await saysThere(desk, OLD, "to the one");
    const message = desk.message("to the other", { address: of("grove"), addressed: true });
    await desk.inbound.receive({ channel: "irc", account: "two", access }, [message], undefined);
    await quiet();
    const waiting = async () =>
      (await desk.store.read.deliveries({ account: "two", limit: 9 })).map((row) => row.address);
    expect(await waiting()).toEqual([of("grove")]);
    await desk.moves.migrateChat({ from: OLD, to: NEW });
    expect(await waiting()).toEqual([of("grove")]);
    for (let times = 0; times < 2; times += 1) await desk.moves.migrateChat({ from: of("grove"), to: of("-100grove") });
    expect(await waiting()).toEqual([of("-100grove")]);
    expect(await keysOf(desk)).toEqual([NEW_KEY]);
  });

  it("is stored once when the store does not confirm it at once", async () => {
    const desk = await open({ fault: faultAt("migrate_chat", "after") });
    await saysThere(desk, OLD, "before");
    await desk.moves.migrateChat({ from: OLD, to: NEW });
    expect(await keysOf(desk)).toEqual([NEW_KEY]);
    expect(await desk.store.read.audit({ limit: 9 })).toHaveLength(1);
  });

  it.each([
    ["a direct chat", formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada" })],
    ["another account's", formatAddress({ channel: "irc", account: "two", kind: "group", chat: "grove" })],
  ])("is refused for %s", async (_what, to) => {
    const desk = await open();
    await expect(desk.moves.migrateChat({ from: OLD, to })).rejects.toThrow(/only groups and channels move/);
    expect(desk.steps.some(({ step }) => step === "migrate_chat")).toBe(false);
  });
});

describe("a process that dies while a group moves", () => {
  it.each(["migrate.before", "migrate.after"])("at %s loses nothing and repeats nothing", async (point) => {
    const data = openTestData();
    const dying = await open({
      data,
      faultPoint: (name) => {
        if (name !== point) return;
        dying.refuse = () => new ChannelError("unauthorized", "A message was sent: nobody is there any more");
        throw new Error(`the process died at ${point}`);
      },
    });
    await saysThere(dying, OLD, "before");
    moveAtPlatform(dying);
    const batch = ["one", "two"].map((text) => dying.message(text, { address: OLD, addressed: true }));
    await dying.receive(batch);
    expect(sentTo(dying, NEW)).toEqual([]);
    await dying.outbox.close();

    const next = new CoreDesk({ data });
    moveAtPlatform(next);
    await next.store.commit({ step: "recover", owner: "the next process" });
    await next.routeState.refresh();
    await next.inbound.resume();
    await next.lanes.resume();
    await next.connect();
    await next.ports.clock.advance(60_000);
    expect(sentTo(next, NEW)).toEqual(["re: one", "re: two"]);
    expect(await keysOf(next)).toEqual([NEW_KEY]);
    expect(await next.lines(NEW_KEY)).toHaveLength(6);
    expect(await next.store.read.audit({ limit: 9 })).toHaveLength(1);
  });
});

describe("a send that reports the move", () => {
  it("goes to the new id once, with everything that waits after it, in order", async () => {
    const desk = await open();
    await saysThere(desk, OLD, "before");
    moveAtPlatform(desk);
    const batch = ["one", "two", "three"].map((text) => desk.message(text, { address: OLD, addressed: true }));
    await desk.receive(batch);
    await desk.ports.clock.advance(0);
    expect(sentTo(desk, NEW)).toEqual(["re: one", "re: two", "re: three"]);
    expect(await keysOf(desk)).toEqual([NEW_KEY]);
    expect(await desk.lines(NEW_KEY)).toHaveLength(8);
    expect((await desk.store.read.counts()).unsettledDeliveries).toBe(0);
  });

  it("that names no valid place, or the old one again, ends as a visible failure", async () => {
    const desk = await open();
    const [there, back] = [OLD, NEW];
    desk.refuse = ({ address }) => {
      const migratedTo = address.startsWith(there) ? back : there;
      return new ChannelError("migrated", "A message was sent: the group is elsewhere", { migratedTo });
    };
    await saysThere(desk, OLD, "before");
    await desk.ports.clock.advance(60 * 60_000);
    const rows = await desk.store.read.deliveries({ limit: 9 });
    expect(rows).toMatchObject([{ state: "stuck" }]);
  });
});

const CHILD = "agent:main:subagent:5f0c";

it("a group that moves to another id moves the threads of its children", async () => {
  const desk = await new CoreDesk().connect();
  await desk.receive([desk.message("before", { address: groupAddress("grove"), addressed: true })]);
  const address = groupAddress("grove", "7");
  const entry = {
    ...openSessionEntry({ key: CHILD, sessionId: desk.ports.createUuid(), now: 1 }),
    spawnedBy: OLD_KEY,
    deliveryContext: address,
  };
  const session = buildSessionWrite({ key: CHILD, agentId: "main", revision: 0 }, entry);
  await desk.store.commit({ step: "write_session", writeId: CHILD, session });
  const binding = { id: "b1", address, sessionKey: CHILD, kind: "thread" } as const;
  await desk.store.commit({ step: "bind", address, binding, timers: [], endTimers: [] });
  await desk.receive([desk.message("one", { address })]);

  await desk.moves.migrateChat({ from: groupAddress("grove"), to: groupAddress("-100grove") });
  await desk.receive([desk.message("two", { address: groupAddress("-100grove", "7") })]);

  expect(await desk.lines(CHILD)).toEqual(["user: one", "assistant: re: one", "user: two", "assistant: re: two"]);
  const row = await desk.store.read.session(CHILD);
  expect(JSON.parse(row?.body ?? "{}")).toMatchObject({
    spawnedBy: NEW_KEY,
    deliveryContext: groupAddress("-100grove", "7"),
  });
});
