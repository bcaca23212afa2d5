import { type Address, type DeliveryReceipt, formatAddress } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

const OLD = addressOf("old");
const NEW = addressOf("new");

function addressOf(chat: string): Address {
  return formatAddress({ channel: "irc", account: "default", kind: "dm", chat });
}

function rowOf(id: string) {
  return buildRow(id, { chat: "old" });
}

/** An outbox of an account whose chat `old` the store calls `new` when the desk is told to follow. */
async function open(): Promise<OutboxDesk> {
  const desk = new OutboxDesk();
  desk.follow = async ({ from, to }) => {
    const audit = { actor: "irc/default", action: "migrate-chat", detail: "" };
    const move = { channel: "irc", fromChat: "old", toChat: "new" };
    await desk.store.commit({ step: "migrate_chat", move, addresses: [{ from, to }], sessions: [], audit });
    desk.outbox.moveChat(from, to);
  };
  await desk.connect();
  return desk;
}

/** What was asked of the platform: id and place of each message. */
function asked(desk: OutboxDesk): readonly string[] {
  return desk.sent.map(({ deliveryId, address }) => `${deliveryId} ${address === NEW ? "new" : "old"}`);
}

it("what waits after a failure goes on in the new place, in order and at its time", async () => {
  const desk = await open();
  desk.answer = async () => {
    throw fails("definite");
  };
  await desk.post(rowOf("a"), rowOf("b"));
  await desk.follow({ from: OLD, to: NEW });
  desk.answer = async ({ deliveryId }) => ({ platformId: deliveryId });
  await quiet();
  expect(asked(desk)).toEqual(["a old"]);
  await desk.ports.clock.advance(1_000);
  expect(asked(desk)).toEqual(["a old", "a new", "b new"]);
});

it("what is under way ends in the old place, and only if it fails there begins again in the new one", async () => {
  const desk = await open();
  const gate = Promise.withResolvers<DeliveryReceipt>();
  desk.answer = async ({ address, deliveryId }) => (address === OLD ? gate.promise : { platformId: deliveryId });
  await desk.post(rowOf("a"), rowOf("b"));
  await desk.follow({ from: OLD, to: NEW });
  await quiet();
  gate.reject(fails("definite"));
  await desk.ports.clock.advance(1_000);
  expect(asked(desk)).toEqual(["a old", "a new", "b new"]);
  expect((await desk.store.read.counts()).unsettledDeliveries).toBe(0);
});

it.each([
  { what: "a backoff", answer: fails("ambiguous"), waitMs: 750 },
  { what: "the platform's limit", answer: fails("rate_limited", { retryAfterMs: 4_000 }), waitMs: 3_999 },
])("what was under way when its chat moved keeps $what in the new place", async ({ answer, waitMs }) => {
  const desk = await open();
  const gate = Promise.withResolvers<DeliveryReceipt>();
  desk.answer = async ({ address, deliveryId }) => (address === OLD ? gate.promise : { platformId: deliveryId });
  await desk.post(rowOf("a"), rowOf("b"));
  await desk.follow({ from: OLD, to: NEW });
  gate.reject(answer);
  await quiet();
  await desk.ports.clock.advance(waitMs - 1);
  expect(asked(desk)).toEqual(["a old"]);
  await desk.ports.clock.advance(1_000);
  expect(asked(desk)).toEqual(["a old", "a new", "b new"]);
});

it("a limit that the new place is told while the old one still sends there is kept", async () => {
  const desk = await open();
  const gates = new Map([OLD, NEW].map((address) => [address, Promise.withResolvers<DeliveryReceipt>()]));
  desk.answer = async ({ address, deliveryId }) => gates.get(address)?.promise ?? { platformId: deliveryId };
  await desk.post(rowOf("a"));
  await desk.post(buildRow("b", { chat: "new" }));
  await desk.follow({ from: OLD, to: NEW });
  gates.get(NEW)?.reject(fails("rate_limited", { retryAfterMs: 4_000 }));
  await quiet();
  gates.get(OLD)?.resolve({ platformId: "a" });
  gates.clear();
  await quiet();
  await desk.ports.clock.advance(3_998);
  expect(asked(desk)).toEqual(["a old", "b new"]);
  await desk.ports.clock.advance(10);
  expect(asked(desk)).toEqual(["a old", "b new", "b new"]);
});

it("what is written for the old place after the move keeps the limit that the platform set there", async () => {
  const desk = await open();
  desk.answer = async ({ address, deliveryId }) => {
    if (address === OLD) throw fails("rate_limited", { retryAfterMs: 4_000 });
    return { platformId: deliveryId };
  };
  await desk.post(rowOf("a"));
  await desk.follow({ from: OLD, to: NEW });
  await quiet();
  await desk.post(rowOf("late"));
  await desk.ports.clock.advance(3_998);
  expect(asked(desk)).toEqual(["a old"]);
  await desk.ports.clock.advance(2_000);
  expect(asked(desk).toSorted()).toEqual(["a new", "a old", "late old"]);
});

it("a refused message is sent once to the new place, and nothing goes to the old one meanwhile", async () => {
  const desk = await open();
  const follow = desk.follow;
  const stored = Promise.withResolvers<void>();
  desk.follow = async (move) => {
    await stored.promise;
    await follow(move);
  };
  desk.answer = async ({ address, deliveryId }) => {
    if (address === OLD) throw fails("migrated", { migratedTo: NEW });
    return { platformId: deliveryId };
  };
  await desk.post(rowOf("a"), rowOf("b"));
  await desk.ports.clock.advance(60_000);
  expect(asked(desk)).toEqual(["a old"]);
  stored.resolve();
  await quiet();
  expect(asked(desk)).toEqual(["a old", "a new", "b new"]);
});

it("a move that cannot be stored is tried again, and keeps the order", async () => {
  const desk = await open();
  const follow = desk.follow;
  let failures = 2;
  desk.follow = async (move) => {
    failures -= 1;
    if (failures >= 0) throw new Error("the disk is full");
    await follow(move);
  };
  desk.answer = async ({ address, deliveryId }) => {
    if (address === OLD) throw fails("migrated", { migratedTo: NEW });
    return { platformId: deliveryId };
  };
  await desk.post(rowOf("a"), rowOf("b"));
  await desk.ports.clock.advance(15_000);
  expect(asked(desk)).toEqual(["a old", "a old", "a old", "a new", "b new"]);
  expect(desk.ports.logged.filter(({ message }) => message === "a chat could not be followed")).toHaveLength(2);
});
