import { formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { listItems, openTestData } from "../open-test-store.ts";
import { ADA, addressOf, CoreDesk } from "../turns/core-desk.ts";
import { aborted, says } from "../turns/played-runtime.ts";

describe("a message", () => {
  it("is stored, answered, and written down on both sides", async () => {
    const desk = await new CoreDesk().connect();
    expect(await desk.says("hello")).toEqual(["stored"]);
    expect(desk.heard()).toEqual(["re: hello"]);
    expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello"]);
    expect((await desk.store.read.session(ADA))?.agentId).toBe("main");
    expect(await desk.store.read.writers(ADA)).toEqual([{ sessionKey: ADA, channel: "irc", peer: "ada" }]);
  });

  it("is told to the taps once, with its session", async () => {
    const desk = await new CoreDesk().connect();
    const told: string[] = [];
    desk.hooks.message_received.tap(
      "t",
      ({ sessionKey, kind, message }) => void told.push(`${kind} ${message.text} ${sessionKey}`),
    );
    desk.hooks.session_start.tap("t", ({ sessionKey, reason }) => void told.push(`${reason} ${sessionKey}`));
    const hello = desk.message("hello");
    await desk.receive([hello]);
    await desk.receive([hello]);
    await desk.says("/status");
    await desk.says("nobody hears me", "eve");
    expect(told.sort()).toEqual([`command /status ${ADA}`, `created ${ADA}`, `message hello ${ADA}`]);
  });

  it("that goes on behind a command is told to the taps as it is, after the command", async () => {
    const desk = await new CoreDesk().connect();
    const told: string[] = [];
    desk.hooks.message_received.tap("t", ({ kind, message }) => void told.push(`${kind} ${message.text}`));
    const message = desk.message("/new hello");
    await desk.receive([message]);
    await desk.receive([message]);
    await desk.says("/new");
    expect(told).toEqual(["command /new hello", "message hello", "command /new"]);
  });

  it("of one person goes to one session, of two to two", async () => {
    const desk = await new CoreDesk().connect();
    await desk.receive([desk.message("a"), desk.message("b", { sender: { id: "bob" } }), desk.message("c")]);
    expect([desk.heard(), desk.heard("bob")]).toEqual([["re: a", "re: c"], ["re: b"]]);
  });
});

describe("the same message again", () => {
  it("is known in the same batch, in a later one, and in a later process", async () => {
    const data = openTestData();
    const desk = await new CoreDesk({ data }).connect();
    const hello = desk.message("hello");
    expect(await desk.receive([hello, hello])).toEqual(["stored", "duplicate"]);
    expect(await desk.receive([hello])).toEqual(["duplicate"]);
    const later = await new CoreDesk({ data }).connect();
    expect(await later.receive([hello, later.message("new", { id: "n" })])).toEqual(["duplicate", "stored"]);
    expect([desk.heard(), later.heard()]).toEqual([["re: hello"], ["re: new"]]);
  });

  it("is another one in another chat, thread, or as another version", async () => {
    const desk = await new CoreDesk().connect();
    const first = desk.message("hello");
    const thread = formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada", thread: "5" });
    const others = [
      { ...first, address: addressOf("bob"), sender: { id: "bob" } },
      { ...first, address: thread },
      { ...first, editedAt: 7 },
      { ...first, id: `${first.id}|7` },
    ];
    expect(await desk.receive([first, ...others])).toEqual(["stored", "stored", "stored", "refused", "stored"]);
  });
});

describe("a batch", () => {
  it("is stored whole with its cursor, or not at all", async () => {
    const data = openTestData();
    let isFull = true;
    const desk = await new CoreDesk({
      data,
      fault: (_step, when) => (isFull && when === "before" ? "full" : "none"),
    }).connect();
    const batch = [desk.message("one"), desk.message("two")];
    await expect(desk.receive(batch, "c1")).rejects.toMatchObject({ code: "full" });
    expect(await desk.store.read.cursor("irc", "default")).toBeUndefined();
    expect((await desk.store.read.counts()).sessions).toBe(0);
    isFull = false;
    expect(await desk.receive(batch, "c1")).toEqual(["stored", "stored"]);
    expect(await desk.store.read.cursor("irc", "default")).toBe("c1");
    expect(desk.heard()).toEqual(["re: one", "re: two"]);
  });

  it("without messages moves the cursor alone; an empty one is no step", async () => {
    const desk = new CoreDesk();
    expect(await desk.receive([], "c2")).toEqual([]);
    expect(await desk.receive([])).toEqual([]);
    expect(desk.steps).toHaveLength(1);
    expect(await desk.store.read.cursor("irc", "default")).toBe("c2");
  });

  it.each([
    ["another account", { account: "other" }],
    ["another channel", { channel: "xmpp" }],
  ])("attack 5: in which a plugin speaks for %s is refused as a whole", async (_name, place) => {
    const desk = new CoreDesk();
    const address = formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada", ...place });
    await expect(desk.receive([desk.message("mine"), desk.message("forged", { address })], "c")).rejects.toThrow(
      /names another account/,
    );
    expect(desk.steps).toEqual([]);
  });
});

it("a message that no stage can judge is refused, and those beside it are answered", async () => {
  const desk = await new CoreDesk().connect();
  const broken = { ...desk.message("broken"), text: JSON.parse("null") };
  expect(await desk.receive([broken, desk.message("whole", { id: "w" })])).toEqual(["refused", "stored"]);
  expect(desk.heard()).toEqual(["re: whole"]);
  expect(desk.ports.logged.map(({ message }) => message)).toContain("a message was refused");
});

describe("a refused message", () => {
  it("leaves its fact and not its text; no agent sees it, and no session begins", async () => {
    const desk = await new CoreDesk().connect();
    const canary = "canary-4711";
    const refused = [
      desk.message(canary, { sender: { id: "eve", displayName: "ada" } }),
      desk.message(canary, { sender: { id: "robot", isBot: true } }),
      desk.message(canary, { sender: { id: "eve" }, editedAt: 5 }),
      desk.message(canary, {
        address: formatAddress({ channel: "irc", account: "default", kind: "group", chat: "g" }),
      }),
    ];
    expect(await desk.receive(refused)).toEqual(["refused", "refused", "refused", "refused"]);
    expect(desk.runtime.turns).toEqual([]);
    expect((await desk.store.read.counts()).sessions).toBe(0);
    const items = await listItems(desk.store);
    expect(items.map(({ state }) => state)).toEqual(["refused", "refused", "refused", "refused"]);
    expect(JSON.stringify([items, await desk.store.read.deliveries({ limit: 9 })])).not.toContain(canary);
    expect(JSON.stringify(desk.steps)).not.toContain(canary);
  });

  it("is told to its sender once an hour, each sender apart", async () => {
    const desk = await new CoreDesk().connect();
    for (const text of ["a", "b", "c"]) await desk.says(text, "eve");
    await desk.says("a", "mallory");
    expect(desk.heard("eve")).toEqual([expect.stringContaining("Your id here is eve")]);
    expect(desk.heard("mallory")).toHaveLength(1);
    await desk.ports.clock.advance(3_599_999);
    await desk.says("d", "eve");
    expect(desk.heard("eve")).toHaveLength(1);
    await desk.ports.clock.advance(1);
    await desk.says("e", "eve");
    expect(desk.heard("eve")).toHaveLength(2);
  });
});

describe("a full lane", () => {
  it("takes 1,000 messages behind the one that runs; the next one is refused with a notice, a command is not", async () => {
    const desk = await new CoreDesk().connect();
    desk.queue = { cap: 1_000 };
    const gate = Promise.withResolvers<void>();
    desk.runtime.play = async function* ({ input, signal }) {
      await Promise.race([gate.promise, aborted(signal)]);
      yield* says(`re: ${input.input[0]?.text}`);
    };
    await desk.says("runs");
    const waiting = Array.from({ length: 1_000 }, (_, n) => desk.message(`${n}`));
    expect(new Set(await desk.receive(waiting))).toEqual(new Set(["stored"]));
    expect(await desk.says("too much")).toEqual(["refused"]);
    expect(await desk.says("in time", "bob")).toEqual(["stored"]);
    expect(desk.heard()).toEqual([
      "1000 messages already wait here, so your last one was not taken, and none is until there is room. Send it again later, or /stop what runs.",
    ]);
    expect(await desk.says("/status")).toEqual(["stored"]);
    expect(desk.heard().at(-1)).toContain("working on an answer, 1000 waiting");
    gate.resolve();
    while (desk.heard().length < 1_003) await quiet();
    expect(desk.heard().slice(2)).toEqual(["re: runs", ...waiting.map(({ text }) => `re: ${text}`)]);
  });

  it("by the queue's cap refuses the message behind a command too, names that cap, and counts what waits without it", async () => {
    const desk = await new CoreDesk().connect();
    desk.queue = { mode: "followup", drop: "new", cap: 2 };
    const gate = Promise.withResolvers<void>();
    desk.runtime.play = async function* ({ input, signal }) {
      await Promise.race([gate.promise, aborted(signal)]);
      yield* says(`re: ${input.input[0]?.text}`);
    };
    for (const text of ["runs", "one", "two"]) await desk.says(text);
    expect(await desk.says("/new three")).toEqual(["stored"]);
    gate.resolve();
    while (desk.heard().length < 4) await quiet();
    expect(desk.heard()).toEqual([
      "2 messages already wait here, so your last one was not taken, and none is until there is room. Send it again later, or /stop what runs.",
      "A new conversation begins; the old one is kept. The running answer was stopped. 2 messages that waited go on in it.",
      "re: one",
      "re: two",
    ]);
  });
});
