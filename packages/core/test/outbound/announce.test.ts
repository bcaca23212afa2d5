import {
  type Announcement,
  ChannelError,
  type ChannelErrorClass,
  type DeliveryReceipt,
  formatAddress,
  type OutboundMessage,
  parseAddress,
} from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { tapAnnounce } from "../../src/outbound/announce-tap.ts";
import { quiet } from "../manual-clock.ts";
import { ThreadAccount } from "../subagents/timers/thread-account.ts";
import { addressOf, TreeDesk } from "../subagents/tree-desk.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

const LIMIT_MS = 120_000;

/** The host's tap for an account of the desk's channel, over a connection that answers as the desk's platform. */
function tapHost(desk: OutboxDesk, account = "default") {
  const taken: OutboundMessage[] = [];
  const connection = {
    send: async (message: OutboundMessage) => {
      taken.push(message);
      return desk.answer(message);
    },
    close: async () => undefined,
  };
  return { taken, dispose: tapAnnounce(desk.hooks, { channel: "irc", account, connection }, LIMIT_MS) };
}

async function openDesk() {
  const desk = new OutboxDesk();
  const host = tapHost(desk);
  await desk.connect();
  return { desk, ...host };
}

describe("a completion on its way out", () => {
  it("goes through the hook announce, which is told what it is about, and not through send", async () => {
    const { desk, taken } = await openDesk();
    const announced: Announcement[] = [];
    desk.hooks.announce.tap("watch", (announcement) => void announced.push(announcement));
    await desk.post(buildRow("d", { runId: "r1", thread: "9" }));
    const address = formatAddress({ channel: "irc", account: "default", kind: "dm", chat: "ada", thread: "9" });
    expect(announced).toEqual([
      {
        delivery: { id: "d", part: 0, of: 1, attempt: 1, createdAt: 1_000_000, mayHaveArrived: false },
        completion: {
          runId: "r1",
          childSessionKey: "agent:main:subagent:r1",
          task: "count",
          outcome: "done",
          result: "3",
          durationMs: 1,
        },
        target: address,
        text: "text d.0",
        requesterSessionKey: "agent:main:irc:dm:ada",
        childSessionKey: "agent:main:subagent:r1",
        runId: "r1",
      },
    ]);
    expect(desk.sent).toEqual([]);
    // The plugin's send is told what kind of message it is.
    const message = { deliveryId: "d", part: 0, of: 1, address, kind: "completion", text: "text d.0", attempt: 1 };
    expect(taken).toEqual([{ ...message, createdAt: 1_000_000, mayHaveArrived: false }]);
    expect(await desk.row("d.0")).toMatchObject({ state: "sent", platformId: "p-d.0", attempts: 1 });
  });

  it("part for part, in order, also one that was born sending", async () => {
    const { desk, taken } = await openDesk();
    await desk.postReserved(buildRow("d", { runId: "r1", part: 0, of: 2 }));
    await desk.post(buildRow("d", { runId: "r1", part: 1, of: 2 }));
    expect(taken.map(({ part, of }) => [part, of])).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it("a reply beside it never meets the hook", async () => {
    const { desk, taken } = await openDesk();
    const announced: string[] = [];
    desk.hooks.announce.tap("watch", ({ text }) => void announced.push(text));
    await desk.post(buildRow("a"), buildRow("b", { runId: "r1" }));
    expect(desk.texts).toEqual(["text a.0"]);
    expect(announced).toEqual(["text b.0"]);
    expect(taken).toHaveLength(1);
  });

  it("a plugin's own tap comes before the host's, and the host's account takes only what is its own", async () => {
    const desk = new OutboxDesk();
    const other = tapHost(desk, "other");
    const { taken } = tapHost(desk);
    await desk.connect();
    desk.hooks.announce.tapPromise("embed", async ({ text }) =>
      text === "text d.0" ? { platformId: "embed-1" } : undefined,
    );
    await desk.post(buildRow("d", { runId: "r1" }), buildRow("e", { runId: "r2" }));
    expect(await desk.row("d.0")).toMatchObject({ state: "sent", platformId: "embed-1" });
    expect(await desk.row("e.0")).toMatchObject({ state: "sent", platformId: "p-e.0" });
    expect(taken.map(({ text }) => text)).toEqual(["text e.0"]);
    expect(other.taken).toEqual([]);
  });
});

describe("a completion that nobody takes", () => {
  it("waits uncounted, is not asked about without end, and goes out when somebody is there", async () => {
    const desk = new OutboxDesk();
    await desk.connect();
    let asked = 0;
    desk.hooks.announce.tap("deaf", () => {
      asked += 1;
      return undefined;
    });
    await desk.post(buildRow("d", { runId: "r1" }));
    expect(asked).toBe(1);
    expect(await desk.row("d.0")).toMatchObject({ state: "pending", attempts: 0, maybeRepeated: false });
    const { taken } = tapHost(desk);
    await desk.ports.clock.advance(1_000);
    expect(asked).toBe(2);
    expect(taken.map(({ text, attempt }) => [text, attempt])).toEqual([["text d.0", 1]]);
    expect(await desk.row("d.0")).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("waits untouched while the account is not connected", async () => {
    const desk = new OutboxDesk();
    const { taken } = tapHost(desk);
    await desk.post(buildRow("d", { runId: "r1" }));
    expect(taken).toEqual([]);
    expect(await desk.row("d.0")).toMatchObject({ state: "pending", attempts: 0 });
    await desk.connect();
    expect(await desk.row("d.0")).toMatchObject({ state: "sent" });
  });

  it("and the disposed tap of an account sends no more", async () => {
    const { desk, taken, dispose } = await openDesk();
    dispose();
    await desk.post(buildRow("d", { runId: "r1" }));
    expect(taken).toEqual([]);
    expect(await desk.row("d.0")).toMatchObject({ state: "pending", attempts: 0 });
  });
});

describe("a tap that fails", () => {
  it.each<[ChannelErrorClass, object]>([
    ["definite", { state: "pending", attempts: 1, maybeRepeated: false }],
    ["ambiguous", { state: "pending", attempts: 1, maybeRepeated: true }],
    ["rate_limited", { state: "pending", attempts: 0, maybeRepeated: false }],
    ["unauthorized", { state: "pending", attempts: 0, maybeRepeated: false }],
    ["permanent", { state: "undeliverable" }],
    ["thread_gone", { state: "undeliverable" }],
    ["chat_gone", { state: "undeliverable" }],
    ["too_long", { state: "undeliverable" }],
    ["bad_markup", { state: "undeliverable" }],
  ])("with %s is judged as a send that fails so", async (errorClass, expected) => {
    const byTap = await openDesk();
    byTap.desk.hooks.announce.tapPromise("own", () => Promise.reject(fails(errorClass)));
    await byTap.desk.post(buildRow("d", { runId: "r1" }));
    const bySend = new OutboxDesk();
    bySend.answer = () => Promise.reject(fails(errorClass));
    await bySend.connect();
    await bySend.post(buildRow("d"));
    const row = await byTap.desk.row("d.0");
    expect(row).toMatchObject(expected);
    const { state, attempts, maybeRepeated, error } = await bySend.row("d.0");
    expect(row).toMatchObject({ state, attempts, maybeRepeated, error });
    expect(byTap.taken).toEqual([]);
    expect(byTap.desk.unauthorized).toHaveLength(errorClass === "unauthorized" ? 1 : 0);
  });

  it("with anything else may have delivered: it is tried again, marked, unless the platform knows a repeat", async () => {
    const { desk, taken } = await openDesk();
    let left = 2;
    desk.hooks.announce.tap("own", () => {
      left -= 1;
      if (left >= 0) throw new Error("the embed fell off");
      return undefined;
    });
    await desk.post(
      buildRow("d", { runId: "r1" }),
      buildRow("e", { runId: "r2", chat: "bob", policy: "effectively-once" }),
    );
    expect(await desk.row("d.0")).toMatchObject({ state: "pending", maybeRepeated: true });
    await desk.ports.clock.advance(2_000);
    expect(taken.map(({ text, attempt }) => [text, attempt]).sort()).toEqual([
      ["(may be repeated)\ntext d.0", 2],
      ["text e.0", 2],
    ]);
    expect(await desk.row("d.0")).toMatchObject({ state: "sent_maybe_repeated" });
    expect(await desk.row("e.0")).toMatchObject({ state: "sent" });
  });

  it("shows a plugin's own tap the mark as well", async () => {
    const { desk } = await openDesk();
    const texts: string[] = [];
    desk.hooks.announce.tapPromise("own", async ({ text }) => {
      texts.push(text);
      if (texts.length === 1) throw new ChannelError("ambiguous", "A message was sent: the answer was lost; wait");
      return { platformId: "own" };
    });
    await desk.post(buildRow("d", { runId: "r1" }));
    await desk.ports.clock.advance(2_000);
    expect(texts).toEqual(["text d.0", "(may be repeated)\ntext d.0"]);
  });

  it.each([
    ["null", null],
    ["a text", "p-1"],
    ["an empty object", {}],
    ["a number as id", { platformId: 5 }],
  ])("by answering %s has said nothing of it: it is unknown, and not sent again", async (_name, answer) => {
    const { desk, taken } = await openDesk();
    desk.hooks.announce.tap("own", (): DeliveryReceipt => JSON.parse(JSON.stringify(answer)));
    await desk.post(buildRow("d", { runId: "r1" }));
    await desk.ports.clock.advance(600_000);
    expect(await desk.row("d.0")).toMatchObject({ state: "unknown", error: expect.stringContaining("no receipt") });
    expect(taken).toEqual([]);
  });

  it("by hanging is cut off at its own limit; the host's after as long as a send", async () => {
    const { desk } = await openDesk();
    const never = new Promise<never>(() => undefined);
    const dispose = desk.hooks.announce.tapPromise("own", () => never);
    await desk.post(buildRow("d", { runId: "r1" }));
    await desk.ports.clock.advance(10_000);
    expect(await desk.row("d.0")).toMatchObject({ state: "pending", attempts: 1, maybeRepeated: true });
    dispose();
    desk.answer = () => never;
    await desk.ports.clock.advance(2_000);
    expect(await desk.row("d.0")).toMatchObject({ state: "sending", attempts: 2 });
    await desk.ports.clock.advance(LIMIT_MS);
    expect(await desk.row("d.0")).toMatchObject({ state: "pending", attempts: 2 });
  });

  it("by promising for ever without types is cut off, too", async () => {
    const { desk } = await openDesk();
    desk.hooks.announce.tap("own", () => JSON.parse("null") ?? new Promise(() => undefined));
    await desk.post(buildRow("d", { runId: "r1" }));
    await desk.ports.clock.advance(10_000);
    expect(await desk.row("d.0")).toMatchObject({ state: "pending", maybeRepeated: true });
    await quiet();
  });
});

async function openThreadDesk() {
  const announced: Pick<Announcement, "childThread" | "delivery" | "runId">[] = [];
  const desk = await new TreeDesk({ threads: new ThreadAccount() }).start();
  desk.gateway.hooks.announce.tap("watch", (announcement) => void announced.push(announcement));
  const threadOf = (runId = "") => formatAddress({ ...parseAddress(addressOf("ada")), thread: runId.slice(0, 8) });
  return { desk, announced, threadOf };
}

it("what tells of a run's end names the thread of the child, part for part, and none where it had none", async () => {
  const { desk, announced, threadOf } = await openThreadDesk();
  desk.plays(/^long/, () => "long ".repeat(1_000));
  await desk.says("/spawn --thread --mode run long");
  await desk.says("/spawn --thread stay");
  await desk.says("/spawn alone");
  const [run, stays, alone] = await desk.runs();
  expect(announced.map(({ runId, delivery, childThread }) => [runId, delivery.part, childThread])).toEqual([
    [run?.runId, 0, threadOf(run?.runId)],
    [run?.runId, 1, threadOf(run?.runId)],
    [stays?.runId, 0, threadOf(stays?.runId)],
    [alone?.runId, 0, undefined],
  ]);
});

it("it names it also when the thread leads to the child no more, and its conversation has begun anew", async () => {
  const { desk, announced, threadOf } = await openThreadDesk();
  await desk.says("/spawn --thread --label w stay");
  const [run] = await desk.runs();
  const thread = threadOf(run?.runId);
  await desk.saysAt(thread, "/new");
  await desk.saysAt(thread, "/unfocus");
  await desk.says("/subagents send w once more");
  expect(announced.map(({ childThread }) => childThread)).toEqual([thread, thread]);
});
