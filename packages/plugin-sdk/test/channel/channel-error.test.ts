import { expect, it } from "vitest";
import {
  CHANNEL_ERROR_CLASSES,
  ChannelError,
  formatAddress,
  REFUSED_CLASSES,
  TransportError,
} from "../../src/index.ts";

it("is an error with a class, and nothing else is said unless it is given", () => {
  const error = new ChannelError("definite", "A message was sent: no; wait");
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "ChannelError", class: "definite", message: "A message was sent: no; wait" });
  expect(error).toMatchObject({ retryAfterMs: undefined, isAccountWide: false, migratedTo: undefined });
  expect(error.cause).toBeUndefined();
});

it("keeps what it is given", () => {
  const migratedTo = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "2" });
  const cause = new Error("why");
  const error = new ChannelError("migrated", "gone", { cause, retryAfterMs: 7, isAccountWide: true, migratedTo });
  expect(error).toMatchObject({ cause, retryAfterMs: 7, isAccountWide: true, migratedTo });
});

it("has one sentence for each class", () => {
  const classes = Object.entries(CHANNEL_ERROR_CLASSES);
  expect(classes.length).toBeGreaterThan(0);
  for (const [, sentence] of classes) expect(sentence).toMatch(/^[a-z].{10,}$/);
});

it("tells a call that is never taken as it is from one that may succeed later or elsewhere", () => {
  const mayPass = Object.keys(CHANNEL_ERROR_CLASSES).filter((name) => !new Set<string>(REFUSED_CLASSES).has(name));
  expect(mayPass).toEqual(["definite", "ambiguous", "rate_limited", "unauthorized", "message_gone", "migrated"]);
});

it.each([true, false])("a transport error says whether bytes were written: %j", (sent) => {
  const cause = new Error("reset");
  expect(new TransportError("irc.example was called", { sent, cause })).toMatchObject({
    name: "TransportError",
    sent,
    cause,
  });
});
