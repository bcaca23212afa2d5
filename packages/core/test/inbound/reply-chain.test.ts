import { type Address, formatAddress, type InboundMessage } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";
import { CoreDesk } from "../turns/core-desk.ts";

const CHILD = "agent:scout:subagent:5f0c";
const GROVE = groveAddress();
const CHAIN = groveAddress("re7");
const GROVE_KEY = "agent:main:irc:group:grove";

function groveAddress(thread?: string): Address {
  const place = { channel: "irc", account: "default", kind: "group", chat: "grove" } as const;
  return formatAddress(thread === undefined ? place : { ...place, thread });
}

/** A desk whose chain of replies to message 7 belongs to a child. */
async function open(): Promise<CoreDesk> {
  const desk = await new CoreDesk().connect();
  const entry = openSessionEntry({ key: CHILD, sessionId: desk.ports.createUuid(), now: 1_000 });
  const session = buildSessionWrite({ key: CHILD, agentId: "scout", revision: 0 }, entry);
  await desk.store.commit({ step: "write_session", writeId: CHILD, session });
  await bind(desk, true);
  return desk;
}

async function bind(desk: CoreDesk, isBound: boolean): Promise<void> {
  const binding = { id: "b1", address: CHAIN, sessionKey: CHILD, kind: "thread" } as const;
  const effect = isBound ? { binding } : { binding: null, bindingId: binding.id };
  const bound = await desk.store.commit({ step: "bind", address: CHAIN, ...effect, timers: [], endTimers: [] });
  expect(bound.status).toBe("done");
}

/** Says something in answer to the account's message of this id. */
const answers = (desk: CoreDesk, messageId: string, text: string, more: Partial<InboundMessage> = {}) =>
  desk.message(text, {
    address: GROVE,
    addressed: true,
    quote: { messageId, chain: groveAddress(`re${messageId}`) },
    ...more,
  });

/** The platform's id of the last message that was sent there. */
async function lastReceipt(desk: CoreDesk, address: Address): Promise<string> {
  const rows = await desk.store.read.deliveries({ states: ["sent"], limit: 99 });
  return rows.findLast((row) => row.address === address)?.platformId ?? "none";
}

describe("a child in a chain of replies", () => {
  it("gets the replies to the chain's first message and to anything that it sent there", async () => {
    const desk = await open();
    await desk.receive([answers(desk, "7", "count the birds")]);
    await desk.receive([answers(desk, await lastReceipt(desk, CHAIN), "and the bees")]);
    expect(await desk.lines(CHILD)).toEqual([
      "user: count the birds",
      "assistant: re: count the birds",
      "user: and the bees",
      "assistant: re: and the bees",
    ]);
    expect(desk.sent.map(({ address }) => address)).toEqual([CHAIN, CHAIN]);
  });

  it("does not get messages next to the chain, nor replies to other messages of the account", async () => {
    const desk = await open();
    await desk.receive([desk.message("hello", { address: GROVE, addressed: true })]);
    await desk.receive([answers(desk, await lastReceipt(desk, GROVE), "and you?")]);
    await desk.receive([answers(desk, "8", "what is this?")]);
    expect(await desk.lines(CHILD)).toEqual([]);
    expect(await desk.lines(GROVE_KEY)).toHaveLength(6);
  });

  it("does not get a reply to a message with the same id in another chat, whatever the plugin says", async () => {
    const desk = await open();
    const dm = desk.message("hello", { quote: { messageId: "7", chain: CHAIN } });
    await desk.receive([dm]);
    expect(await desk.lines(CHILD)).toEqual([]);
    expect(await desk.lines()).toEqual(["user: hello", "assistant: re: hello"]);
  });

  it("gets a reply to a message whose receipt is not stored yet, as soon as it is", async () => {
    const desk = await open();
    const answer = Promise.withResolvers<void>();
    desk.answered = () => answer.promise;
    await desk.receive([answers(desk, "7", "count the birds")]);
    const early = desk.receive([answers(desk, desk.sent[0]?.deliveryId ?? "", "and the bees")]);
    await desk.ports.clock.advance(300);
    answer.resolve();
    await desk.ports.clock.advance(300);
    await early;
    expect((await desk.lines(CHILD)).filter((line) => line.startsWith("user"))).toEqual([
      "user: count the birds",
      "user: and the bees",
    ]);
  });

  it("a receipt is not waited for longer than two seconds", async () => {
    const desk = await open();
    desk.answered = () => new Promise(() => undefined);
    await desk.receive([answers(desk, "7", "count the birds")]);
    const early = desk.receive([answers(desk, desk.sent[0]?.deliveryId ?? "", "and the bees")]);
    await desk.ports.clock.advance(2_100);
    expect(await early).toEqual(["stored"]);
    expect(await desk.lines(GROVE_KEY)).toContain("user: and the bees");
  });

  it("a limited number of places of a chat is searched", async () => {
    const desk = await open();
    await desk.receive([answers(desk, "7", "count")]);
    const receipt = await lastReceipt(desk, CHAIN);
    const bindOther = async (nth: number) => {
      const address = groveAddress(`re${100 + nth}`);
      const binding = { id: `o${nth}`, address, sessionKey: CHILD, kind: "thread" } as const;
      await desk.store.commit({ step: "bind", address, binding, timers: [], endTimers: [] });
    };
    for (let nth = 1; nth <= 63; nth += 1) await bindOther(nth);
    await desk.receive([answers(desk, receipt, "one")]);
    await bindOther(64);
    await desk.receive([answers(desk, receipt, "two")]);
    expect((await desk.lines(CHILD)).filter((line) => line.startsWith("user"))).toEqual(["user: count", "user: one"]);
    expect(await desk.lines(GROVE_KEY)).toEqual(["user: two", "assistant: re: two"]);
  });

  it("needs no mention, takes commands and edits, and each message once, even if it is routed elsewhere when it comes again", async () => {
    const desk = await open();
    const first = answers(desk, "7", "count", { addressed: false });
    expect(await desk.receive([first])).toEqual(["stored"]);
    await desk.receive([answers(desk, "7", "/status")]);
    expect(desk.sent.at(-1)).toMatchObject({ address: CHAIN, text: expect.stringContaining("scout") });
    await bind(desk, false);
    expect(await desk.receive([first])).toEqual(["duplicate"]);
    await desk.receive([answers(desk, "7", "anybody?")]);
    expect(await desk.lines(GROVE_KEY)).toEqual(["user: anybody?", "assistant: re: anybody?"]);
  });

  it("only the quote that the agent sees is stored", async () => {
    const desk = await open();
    await desk.receive([answers(desk, "7", "count")]);
    const step = desk.steps.find((one) => one.step === "receive");
    expect(JSON.stringify(step)).toContain('\\"quote\\":{\\"messageId\\":\\"7\\"}');
  });
});
