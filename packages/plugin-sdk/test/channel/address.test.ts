import { describe, expect, it } from "vitest";
import { type AddressParts, formatAddress, isAddress, parseAddress, resolveChatOf } from "../../src/index.ts";

const DM: AddressParts = { channel: "irc", account: "default", kind: "dm", chat: "ada" };

describe("formatAddress and parseAddress", () => {
  it.each<[string, AddressParts]>([
    ["a DM", DM],
    ["a group", { ...DM, kind: "group", chat: "-1001234567890" }],
    ["a thread of a channel", { ...DM, kind: "channel", chat: "111", thread: "222" }],
    ["ids with slashes", { ...DM, account: "a/b", chat: "c/d", thread: "e/f" }],
    ["ids with percent signs", { ...DM, chat: "%2F", thread: "100%" }],
    ["ids that look like kinds and keys", { ...DM, account: "dm", chat: "agent:main:main", thread: "thread" }],
    ["ids with spaces, NUL and line ends", { ...DM, chat: " a\0b\n", thread: " " }],
    ["ids in other scripts", { ...DM, chat: "日本", thread: "🌳" }],
    ["dots that could climb", { ...DM, chat: "..", thread: "." }],
  ])("gives %s back whole", (_name, parts) => {
    const address = formatAddress(parts);
    expect(parseAddress(address)).toEqual(parts);
    expect(isAddress(address)).toBe(true);
    expect(formatAddress(parseAddress(address))).toBe(address);
  });

  it("writes channel/account/kind/chat[/thread]", () => {
    expect(formatAddress(DM)).toBe("irc/default/dm/ada");
    expect(formatAddress({ ...DM, chat: "a/b", thread: "7" })).toBe("irc/default/dm/a%2Fb/7");
  });

  it("never gives two places one address", () => {
    const ids = ["a", "a/b", "b", "a%2Fb", "%", "A"];
    const places = ids.flatMap((chat) => [
      { ...DM, chat },
      ...ids.map((thread) => ({ ...DM, chat, thread })),
      ...ids.map((account) => ({ ...DM, chat, account })),
    ]);
    expect(new Set(places.map(formatAddress)).size).toBe(places.length);
  });

  it.each<[string, Partial<AddressParts>]>([
    ["channel", { channel: "" }],
    ["account", { account: "" }],
    ["chat", { chat: "" }],
    ["thread", { thread: "" }],
  ])("does not format a place without a %s", (_name, parts) => {
    expect(() => formatAddress({ ...DM, ...parts })).toThrow(TypeError);
  });

  it("does not format a lone surrogate", () => {
    expect(() => formatAddress({ ...DM, chat: "\ud800" })).toThrow(URIError);
  });

  it.each([
    "",
    "irc",
    "irc/default/dm",
    "irc/default/dm/",
    "irc/default/room/ada",
    "irc/default/DM/ada",
    "/default/dm/ada",
    "irc//dm/ada",
    "irc/default/dm/ada/",
    "irc/default/dm/ada/1/2",
    "irc/default/dm/%",
    "irc/default/dm/a b",
    "irc/default/dm/%41",
    "irc/default/dm/%c3%a9",
  ])("does not parse %j", (text) => {
    expect(() => parseAddress(text)).toThrow(TypeError);
    // A hot path looks at the form alone, so what is only written in another way passes there.
    expect(isAddress(text)).toBe(/[% ]/.test(text));
  });
});

describe("resolveChatOf", () => {
  it.each<[string, AddressParts]>([
    ["a DM", DM],
    ["a group", { ...DM, kind: "group", chat: "a/b" }],
  ])("leaves %s as it is, and finds it from each of its threads", (_name, parts) => {
    const chat = formatAddress(parts);
    expect(resolveChatOf(chat)).toBe(chat);
    expect(resolveChatOf(formatAddress({ ...parts, thread: "7" }))).toBe(chat);
    expect(resolveChatOf(formatAddress({ ...parts, thread: "x/y" }))).toBe(chat);
  });
});
