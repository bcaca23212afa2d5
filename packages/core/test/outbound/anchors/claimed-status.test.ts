import { ChannelError } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { quiet } from "../../manual-clock.ts";
import { buildRow } from "../outbox-desk.ts";
import { AnchorDesk, status, tell } from "./anchor-desk.ts";

const UNCLEAR_MS = 20_000;
const LOST = new ChannelError("ambiguous", "A message was sent: the connection was reset; look");
const GONE = new ChannelError("chat_gone", "A message was sent: the chat is gone; look");
const RETRY_MS = 60_000;

async function createDesk(): Promise<AnchorDesk> {
  const desk = new AnchorDesk();
  await desk.outbox.connect();
  return desk;
}

test("two ends that want the place of one status: the first one has it, the second one stands below", async () => {
  const desk = await createDesk();
  await desk.posts(status);
  await desk.posts(tell("one", "the first result"), tell("two", "the second result"));
  expect(desk.texts).toEqual(["the first result", "the second result"]);
});

test("a status that has become a result is changed no more", async () => {
  const desk = await createDesk();
  await desk.posts(status);
  await desk.posts(tell("one", "the result"));
  expect(await desk.amends(status.id, "✅ done")).toBe("claimed");
  expect(desk.texts).toEqual(["the result"]);
});

test("a status whose place was asked for before it was there still says that all have ended", async () => {
  const desk = await createDesk();
  await desk.posts(tell("one", "the result"));
  await desk.posts(status);
  expect(await desk.amends(status.id, "✅ done")).toBe("done");
  expect(desk.texts).toEqual(["the result", "✅ done"]);
});

test("a status whose place went to a row that nobody gets still says that all have ended", async () => {
  const desk = await createDesk();
  await desk.posts(status);
  await desk.posts({ ...tell("one", "the result"), undeliverable: "nobody is left" });
  expect(await desk.amends(status.id, "✅ done")).toBe("done");
  expect(desk.texts).toEqual(["✅ done"]);
});

test("a status beside which a result stands or does not, nobody knows, still says that all have ended", async () => {
  const first = await createDesk();
  await first.posts(status);
  await first.amends(status.id, "🌱 half done");
  const next = new AnchorDesk(first);
  await next.outbox.connect();
  // It takes no place where an earlier edit may still come.
  const troubles = [LOST, GONE];
  next.outbox.answer = async () => {
    throw troubles.shift() ?? GONE;
  };
  await next.posts(tell("one", "the result"));
  await next.outbox.ports.clock.advance(RETRY_MS);
  await quiet();
  expect((await next.outbox.row("one.0")).state).toBe("unknown");
  expect(await next.amends(status.id, "✅ done")).toBe("done");
  expect(next.texts).toEqual(["✅ done"]);
});

test("a status that may have become a result, nobody knows, is not written over", async () => {
  const desk = await createDesk();
  await desk.posts(status);
  desk.trouble = LOST;
  await desk.posts(tell("one", "the result"));
  desk.trouble = GONE;
  desk.outbox.answer = () => Promise.reject(GONE);
  await desk.outbox.ports.clock.advance(RETRY_MS);
  await quiet();
  expect((await desk.outbox.row("one.0")).state).toBe("unknown");
  expect(await desk.amends(status.id, "✅ done")).toBe("claimed");
});

test("a status that is to become a result waits, and is not changed meanwhile", async () => {
  const desk = await createDesk();
  await desk.posts(status);
  await desk.outbox.write([tell("one", "the result")]);
  expect(await desk.amends(status.id, "✅ done")).toBe("busy");
  expect(desk.texts).toEqual(["🌱 at work"]);
});

test("an edit whose answer was lost may come late: the next one is made when it can come no more", async () => {
  const desk = await createDesk();
  await desk.posts(status);
  desk.trouble = new ChannelError("ambiguous", "A message was edited: the connection was reset; look");
  expect(await desk.amends(status.id, "✅ done")).toBe("unclear");
  expect(await desk.amends(status.id, "✅ done")).toBe("unclear");
  expect(desk.texts).toEqual(["🌱 at work"]);
  await desk.outbox.ports.clock.advance(UNCLEAR_MS);
  await quiet();
  expect(await desk.amends(status.id, "✅ done")).toBe("done");
  expect(desk.texts).toEqual(["✅ done"]);
});

test("a platform that tells the whole account to wait at an edit is sent nothing to another chat before its time", async () => {
  const desk = await createDesk();
  await desk.posts(status);
  const options = { retryAfterMs: 7_000, isAccountWide: true };
  desk.trouble = new ChannelError("rate_limited", "A message was edited: too many; wait", options);
  expect(await desk.amends(status.id, "✅ done")).toBe("limited");
  await desk.posts(buildRow("reply", { chat: "bob", text: "hello Bob" }));
  expect(desk.texts).toEqual(["🌱 at work"]);
  await desk.outbox.ports.clock.advance(7_000);
  expect(desk.texts).toEqual(["🌱 at work", "hello Bob"]);
});

test("for a while after a start a status that an earlier life has changed is nobody's: its last edit may still come", async () => {
  const first = await createDesk();
  await first.posts(status);
  expect(await first.amends(status.id, "🌱 half done")).toBe("done");
  const next = new AnchorDesk(first);
  await next.outbox.connect();
  expect(await next.amends(status.id, "🌱 nearly done")).toBe("busy");
  await next.posts(tell("one", "the result"));
  // Late, and it overwrites nothing of the result.
  next.messages.set("p1", "🌱 just begun");
  expect(next.texts).toEqual(["🌱 just begun", "the result"]);
  await next.outbox.ports.clock.advance(UNCLEAR_MS);
  expect(await next.amends(status.id, "✅ done")).toBe("done");
  expect(next.texts).toEqual(["✅ done", "the result"]);
});

test("one that no earlier life has changed becomes the result at once, also behind a start", async () => {
  const first = await createDesk();
  await first.posts(status);
  const next = new AnchorDesk(first);
  await next.outbox.connect();
  await next.posts(tell("one", "the result"));
  expect(next.texts).toEqual(["the result"]);
});

test("a result that an earlier life has begun to put there goes there again", async () => {
  const first = await createDesk();
  await first.posts(status);
  await first.amends(status.id, "🌱 half done");
  first.trouble = new ChannelError("definite", "A message was edited: not now; wait");
  await first.posts(tell("one", "the result"));
  const next = new AnchorDesk(first);
  await next.outbox.connect();
  await next.outbox.ports.clock.advance(5_000);
  await quiet();
  expect(next.texts).toEqual(["the result"]);
});
