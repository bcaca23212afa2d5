import { type Address, ChannelError, formatAddress, resolveChatOf } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { quiet } from "../../manual-clock.ts";
import { buildRow, OutboxDesk } from "../outbox-desk.ts";

const place = { channel: "irc", account: "default", kind: "group" } as const;
const OLD = formatAddress({ ...place, chat: "ada" });
const NEW = formatAddress({ ...place, chat: "new" });
const text = "the result";
const row = {
  ...buildRow("d", { policy: "anchor" }),
  address: OLD,
  chat: OLD,
  body: JSON.stringify({ text, placeholder: "…" }),
};

/** Two chats that count their messages from 1, each by itself; somebody has written in the new one already. */
class MovingDesk {
  readonly outbox: OutboxDesk = new OutboxDesk();
  readonly chats: ReadonlyMap<string, string[]> = new Map([
    [OLD, []],
    [NEW, ["somebody else's words"]],
  ]);
  /** Runs when a message has arrived, before its sender is told. */
  onSent: (address: Address) => Promise<void> = async () => undefined;
  /** Runs before an edit. */
  onEdit: (address: Address) => Promise<void> = async () => undefined;

  constructor() {
    this.outbox.answer = async ({ address, text: said }) => {
      const platformId = String(this.in(address).push(said));
      await this.onSent(address);
      return { platformId };
    };
    this.outbox.edits = {
      edit: async ({ address, platformId, text: said }) => {
        await this.onEdit(address);
        this.in(address)[Number(platformId) - 1] = said;
      },
    };
    this.outbox.follow = () => this.moves();
  }

  in(address: Address): string[] {
    const chat = this.chats.get(resolveChatOf(address));
    if (chat === undefined) throw new Error(`No chat ${address}`);
    return chat;
  }

  async moves(): Promise<void> {
    const audit = { actor: "irc/default", action: "migrate-chat", detail: "" };
    const move = { channel: "irc", fromChat: "ada", toChat: "new" };
    await this.outbox.store.commit({
      step: "migrate_chat",
      move,
      addresses: [{ from: OLD, to: NEW }],
      sessions: [],
      audit,
    });
    this.outbox.outbox.moveChat(OLD, NEW);
  }
}

const fault = (errorClass: "definite" | "ambiguous") =>
  new ChannelError(errorClass, "A message was edited: the platform did not; wait");

async function ends(desk: MovingDesk): Promise<void> {
  await quiet();
  await desk.outbox.ports.clock.advance(60_000);
  await quiet();
  expect(desk.in(NEW)).toEqual(["somebody else's words", text]);
  expect((await desk.outbox.row("d.0")).anchorId).toBe("2");
}

test("what waits to be edited in a chat that moves is sent anew there, and touches nobody else's message", async () => {
  const desk = new MovingDesk();
  desk.onEdit = async (address) => {
    if (address === OLD) throw fault("definite");
  };
  await desk.outbox.connect();
  await desk.outbox.post(row);
  await desk.moves();
  expect((await desk.outbox.row("d.0")).anchorId).toBeUndefined();
  await ends(desk);
});

test.each(["definite", "ambiguous"] as const)(
  "so is what is edited while its chat moves, and ends %s",
  async (kind) => {
    const desk = new MovingDesk();
    desk.onEdit = async (address) => {
      if (address !== OLD) return;
      await desk.moves();
      throw fault(kind);
    };
    await desk.outbox.connect();
    await desk.outbox.post(row);
    await ends(desk);
  },
);

test("what was sent to the old chat while it moved is no anchor in the new one, in no later life either", async () => {
  const desk = new MovingDesk();
  desk.onSent = async (address) => {
    if (address !== OLD) return;
    await desk.moves();
  };
  await desk.outbox.connect();
  await desk.outbox.post(row);
  expect((await desk.outbox.row("d.0")).anchorId).toBeUndefined();
  expect(desk.in(OLD)).toEqual(["…"]);
  await ends(desk);
});

test("a status that was sent to the old chat while it moved touches nobody else's message in the new one", async () => {
  const desk = new MovingDesk();
  // The first message there has the number that somebody else's has in the new chat.
  desk.onSent = async (address) => {
    if (address === OLD) await desk.moves();
  };
  await desk.outbox.connect();
  await desk.outbox.post({ ...buildRow("status"), kind: "status", address: OLD, chat: OLD });
  const status = await desk.outbox.row("status.0");
  expect([status.state, status.address, status.platformId]).toEqual(["sent", OLD, "1"]);
  await desk.outbox.outbox.amend(status, { text: "✅ done" });
  expect([desk.in(OLD), desk.in(NEW)]).toEqual([["✅ done"], ["somebody else's words"]]);
  await desk.outbox.post({ ...row, address: NEW, chat: NEW, claims: "status.0" });
  expect([desk.in(OLD), desk.in(NEW)]).toEqual([["✅ done"], ["somebody else's words", text]]);
});
