import { formatAddress } from "@banyan/plugin-sdk";
import type { ReceiveStep } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { listItems, openTestData } from "../open-test-store.ts";
import { ADA, addressOf, CoreDesk } from "../turns/core-desk.ts";
import { aborted, says } from "../turns/played-runtime.ts";

describe("a message", () => {
  it("is stored, answered, and in the transcript with its answer", async () => {
    const desk = await new CoreDesk().connect();
    expect(await desk.says("hello")).toEqual(["stored"]);
    expect(desk.heard()).toEqual(["re: hello"]);
    expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello"]);
    expect((await desk.store.read.session(ADA))?.agentId).toBe("main");
    expect(await desk.store.read.writers(ADA)).toEqual([{ sessionKey: ADA, channel: "irc", peer: "ada" }]);
  });

  it("calls the hooks once, with its session", async () => {
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

  it("that follows a command reaches the hooks as it is, after the command", async () => {
    const desk = await new CoreDesk().connect();
    const told: string[] = [];
    desk.hooks.message_received.tap("t", ({ kind, message }) => void told.push(`${kind} ${message.text}`));
    const message = desk.message("/new hello");
    await desk.receive([message]);
    await desk.receive([message]);
    await desk.says("/new");
    expect(told).toEqual(["command /new hello", "message hello", "command /new"]);
  });

  it("of one person goes to one session, of two people to two", async () => {
    const desk = await new CoreDesk().connect();
    await desk.receive([desk.message("a"), desk.message("b", { sender: { id: "bob" } }), desk.message("c")]);
    expect([desk.heard(), desk.heard("bob")]).toEqual([["re: a", "re: c"], ["re: b"]]);
  });
});

describe("the same message again", () => {
  it("is a duplicate in the same batch, in a later one, and in a later process", async () => {
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

  it("without a reply is sent to the store at once, so that concurrent batches keep their order", async () => {
    const desk = await new CoreDesk().connect();
    const { commit } = desk.store;
    const sent: string[] = [];
    Object.assign(desk.store, {
      commit: (step: ReceiveStep) => {
        sent.push(step.step);
        return commit.call(desk.store, step);
      },
    });
    const received = [desk.says("one"), desk.says("two", "bob")];
    expect(sent).toEqual(["receive", "receive"]);
    expect(await Promise.all(received)).toEqual([["stored"], ["stored"]]);
  });

  it("without messages stores the cursor; an empty one stores nothing", async () => {
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

it("a message that cannot be decided is refused, and the others of its batch are answered", async () => {
  const desk = await new CoreDesk().connect();
  const broken = { ...desk.message("broken"), text: JSON.parse("null") };
  expect(await desk.receive([broken, desk.message("whole", { id: "w" })])).toEqual(["refused", "stored"]);
  expect(desk.heard()).toEqual(["re: whole"]);
  expect(desk.ports.logged.map(({ message }) => message)).toContain("a message was refused");
});

describe("a refused message", () => {
  it("leaves the fact and not the text; no agent sees it, and no session begins", async () => {
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

  it("is explained to its sender once an hour, to each sender separately", async () => {
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
  it("holds 1,000 messages after the one that runs; the next one is refused with a notice, a command is not", async () => {
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

  it("by the queue's cap refuses the message after a command too, names that cap, and counts what waits without it", async () => {
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

/** Ada's first message runs until the gate opens, and what she says meanwhile waits. */
async function openBusyDesk() {
  const desk = await new CoreDesk().connect();
  const gate = Promise.withResolvers<void>();
  desk.runtime.play = async function* ({ input, signal }) {
    await Promise.race([gate.promise, aborted(signal)]);
    yield* says(`re: ${input.input.map(({ text }) => text).join(", ")}`);
  };
  const first = desk.message("one");
  await desk.receive([first]);
  const waiting = desk.message("two, with a mistkae");
  await desk.receive([waiting]);
  return { desk, first, waiting, open: () => gate.resolve() };
}

describe("an edit", () => {
  it("changes the message while it waits, and begins no turn", async () => {
    const { desk, waiting, open } = await openBusyDesk();
    expect(await desk.receive([{ ...waiting, text: "two, without", editedAt: 5 }])).toEqual(["refused"]);
    expect(await desk.receive([{ ...waiting, text: "two, better", editedAt: 6 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard()).toEqual(["re: one", "re: two, better", "re: three"]);
  });

  it("comes too late once the turn has begun: what the agent was asked counts", async () => {
    const { desk, first, open } = await openBusyDesk();
    expect(await desk.receive([{ ...first, text: "something else", editedAt: 5 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard()).toEqual(["re: one", "re: two, with a mistkae", "re: three"]);
  });

  it.each([
    ["makes a command of it", { text: "/stop" }],
    ["empties it", { text: " " }],
    ["comes from somebody else's address", { text: "mine", sender: { id: "eve" } }],
    ["is of a message that nobody sent", { id: "m-unknown", text: "mine" }],
  ])("that %s changes nothing", async (_name, change) => {
    const { desk, waiting, open } = await openBusyDesk();
    expect(await desk.receive([{ ...waiting, ...change, editedAt: 5 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard()).toEqual(["re: one", "re: two, with a mistkae", "re: three"]);
  });

  it("of a command changes nothing, whatever it says now", async () => {
    const { desk, open } = await openBusyDesk();
    const command = desk.message("/status");
    await desk.receive([command]);
    const heard = desk.heard().length;
    expect(await desk.receive([{ ...command, text: "now a message", editedAt: 5 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard().slice(heard)).toEqual(["re: one", "re: two, with a mistkae", "re: three"]);
  });
});

const HOUR_MS = 3_600_000;

function warnings(desk: CoreDesk): readonly object[] {
  return desk.ports.logged.flatMap(({ level, fields, message }) =>
    level === "warn" && message.includes("is this machine's clock right") ? [fields] : [],
  );
}

it("a message older than a day is left out with a notice, once an hour; younger ones are answered", async () => {
  const desk = await new CoreDesk().connect();
  const now = desk.ports.clock.now();
  const old = ["one", "two", "three"].map((text) => desk.message(text, { at: now - 25 * HOUR_MS }));
  expect(await desk.receive([...old, desk.message("young", { at: now - 23 * HOUR_MS })])).toEqual([
    "refused",
    "refused",
    "refused",
    "stored",
  ]);
  expect(desk.heard()).toEqual([
    expect.stringMatching(/^While I was away your message of .+ UTC grew older/),
    "re: young",
  ]);
  await desk.ports.clock.advance(HOUR_MS);
  await desk.receive([desk.message("four", { at: now - 25 * HOUR_MS })]);
  expect(desk.heard()).toHaveLength(3);
});

it("the notice also goes to a sender who just got another refusal, and never to a group", async () => {
  const desk = await new CoreDesk().connect();
  const at = desk.ports.clock.now() - 25 * HOUR_MS;
  await desk.says("x".repeat(1_048_577));
  await desk.receive([desk.message("old", { at })]);
  expect(desk.heard()).toEqual([
    expect.stringMatching(/^Your message has/),
    expect.stringMatching(/^While I was away/),
  ]);
  const address = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove" });
  expect(await desk.receive([desk.message("old", { at, address, addressed: true })])).toEqual(["refused"]);
  expect(desk.sent).toHaveLength(2);
});

it("a wrong clock is suspected once when messages in a row are too old, and again after one that was not", async () => {
  const desk = await new CoreDesk().connect();
  const now = desk.ports.clock.now();
  const old = () => desk.message("old", { at: now - 30 * HOUR_MS });
  await desk.receive([old()]);
  expect(warnings(desk)).toEqual([]);
  await desk.receive([old()]);
  await desk.receive([old(), old()]);
  expect(warnings(desk)).toEqual([
    { clock: new Date(now).toISOString(), message: new Date(now - 30 * HOUR_MS).toISOString() },
  ]);
  await desk.receive([desk.message("young"), old(), old()]);
  expect(warnings(desk)).toHaveLength(2);
});

it("one late message that comes again is no second one, in the same batch or later, nor between two others", async () => {
  const desk = await new CoreDesk().connect();
  const at = desk.ports.clock.now() - 30 * HOUR_MS;
  const [old, other] = [desk.message("old", { at }), desk.message("other", { at })];
  await desk.receive([old, old]);
  await desk.receive([old]);
  await desk.receive([desk.message("young")]);
  await desk.receive([other, old]);
  expect(warnings(desk)).toEqual([]);
  await desk.receive([desk.message("third", { at })]);
  expect(warnings(desk)).toHaveLength(1);
});

it("a message that was answered and comes again when it is old is not late", async () => {
  const desk = await new CoreDesk().connect();
  const [one, two] = [desk.message("one"), desk.message("two")];
  await desk.receive([one, two]);
  await desk.ports.clock.advance(30 * HOUR_MS);
  expect(await desk.receive([one, two])).toEqual(["duplicate", "duplicate"]);
  expect(warnings(desk)).toEqual([]);
});

it("the age is measured by the platform's clock if that is known", async () => {
  const desk = await new CoreDesk().connect();
  const platformNow = desk.ports.clock.now() + 72 * HOUR_MS;
  const young = desk.message("young", { at: platformNow - HOUR_MS });
  const old = desk.message("old", { at: platformNow - 25 * HOUR_MS });
  expect(await desk.receive([young, old], undefined, platformNow)).toEqual(["stored", "refused"]);
  const behind = desk.ports.clock.now() - 72 * HOUR_MS;
  expect(await desk.receive([desk.message("now", { at: behind })], undefined, behind)).toEqual(["stored"]);
});

describe("the start of a session", () => {
  it("calls `session_start` once where two messages begin it at the same time, with the stored record", async () => {
    const desk = await new CoreDesk().connect();
    const started: string[] = [];
    desk.hooks.session_start.tap("listen", ({ sessionId }) => void started.push(sessionId));
    await Promise.all([desk.says("one"), desk.says("two")]);
    const offered = desk.steps.flatMap((step) => (step.step === "receive" ? step.items : []));
    expect(offered.filter(({ session }) => session !== undefined)).toHaveLength(2);
    expect(started).toEqual([(await desk.store.read.session(ADA))?.sessionId]);
  });
});
