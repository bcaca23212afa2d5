import { ChannelError, type ChannelErrorClass } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { quiet } from "../../manual-clock.ts";
import { AnchorDesk, status, tell } from "./anchor-desk.ts";

const RESULT = tell("one", "the result");
const MINUTE_MS = 60_000;

/** A chat with a status, on a platform that refuses every edit so. */
async function openRefusing(errorClass: ChannelErrorClass): Promise<AnchorDesk> {
  const desk = new AnchorDesk();
  const refusal = new ChannelError(errorClass, "A message was edited: it was refused; send a new one");
  desk.outbox.edits = { edit: () => Promise.reject(refusal) };
  await desk.outbox.connect();
  await desk.posts(status);
  return desk;
}

test.each(["permanent", "chat_gone", "thread_gone", "too_long", "bad_markup"] as const)(
  "a result whose edit is refused as %s is a new message, once, and the status stays",
  async (errorClass) => {
    const desk = await openRefusing(errorClass);
    await desk.posts(RESULT);
    await desk.outbox.ports.clock.advance(MINUTE_MS);
    expect(desk.texts).toEqual(["🌱 at work", "the result"]);
    expect(await desk.outbox.row(RESULT.id)).toMatchObject({ state: "sent", platformId: "p2", maybeRepeated: false });
  },
);

test("where the message is gone and the one in its place takes no edit either, one more is sent, and no other", async () => {
  const desk = await openRefusing("message_gone");
  await desk.posts(RESULT);
  await desk.outbox.ports.clock.advance(MINUTE_MS);
  expect(desk.texts).toEqual(["🌱 at work", "place of one", "the result"]);
  expect((await desk.outbox.row(RESULT.id)).state).toBe("sent");
});

test.each([
  ["definite", {}],
  ["rate_limited", { retryAfterMs: 1_000 }],
  ["ambiguous", {}],
] as const)("an edit that ends %s is made again, and nothing else is sent", async (errorClass, options) => {
  const desk = new AnchorDesk();
  await desk.outbox.connect();
  await desk.posts(status);
  desk.trouble = new ChannelError(errorClass, "A message was edited: not now; wait", options);
  await desk.posts(RESULT);
  await desk.outbox.ports.clock.advance(MINUTE_MS);
  await quiet();
  expect(desk.texts).toEqual(["the result"]);
});

test("a process that dies before the new message is sent leaves one that sends it, and never edits again", async () => {
  const first = await openRefusing("permanent");
  first.outbox.answer = () => new Promise(() => undefined);
  await first.posts(RESULT);
  expect(first.texts).toEqual(["🌱 at work"]);
  await first.outbox.store.commit({ step: "recover", owner: "next" });
  // It would take edits now: the one that was refused may stand below as a message.
  const next = new AnchorDesk(first);
  await next.outbox.connect();
  await quiet();
  expect(next.texts).toEqual(["🌱 at work", "(may be repeated)\nthe result"]);
  expect((await next.outbox.row(RESULT.id)).state).toBe("sent_maybe_repeated");
});

test("a new message that is refused as well is undeliverable; once it may be sent a retry brings it", async () => {
  const desk = await openRefusing("chat_gone");
  const send = desk.outbox.answer;
  desk.outbox.answer = () => Promise.reject(new ChannelError("chat_gone", "A message was sent: no right; give it"));
  await desk.posts(RESULT);
  expect((await desk.outbox.row(RESULT.id)).state).toBe("undeliverable");
  desk.outbox.answer = send;
  const audit = { actor: "operator", action: "retry", detail: "" };
  await desk.outbox.store.commit({ step: "retry_delivery", id: RESULT.id, audit });
  desk.outbox.outbox.refresh(RESULT.chat);
  await quiet();
  expect(desk.texts).toEqual(["🌱 at work", "the result"]);
});

test("a status whose result is a message of its own is left, and nothing more is said of it", async () => {
  const desk = await openRefusing("permanent");
  await desk.posts(RESULT);
  expect(await desk.amends(status.id, "✅ done")).toBe("gone");
});

test("a status whose edit is refused is left, and its caller knows it", async () => {
  const desk = await openRefusing("chat_gone");
  expect(await desk.amends(status.id, "✅ done")).toBe("refused");
  expect(desk.texts).toEqual(["🌱 at work"]);
});
