import { ChannelError } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { quiet } from "../../manual-clock.ts";
import { buildRow } from "../outbox-desk.ts";
import { AnchorDesk, status, tell } from "./anchor-desk.ts";

const UNCLEAR_MS = 20_000;

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
