import { describe, expect, it } from "vitest";
import { parseIdentityLinks } from "../../../src/sessions/keys/identity-links.ts";
import { buildAgentPeerSessionKey } from "../../../src/sessions/keys/session-key.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";

describe("parseIdentityLinks", () => {
  it.each([
    ["no links", undefined],
    ["null", null],
    ["an empty record", {}],
    ["a person without accounts", { alice: [] }],
    ["two accounts of one channel", { alice: ["telegram:1", "telegram:2"] }],
    ["one id twice under one name", { alice: ["telegram:1", " Telegram : 1 "] }],
    ["equal ids of two channels", { alice: ["telegram:1"], bob: ["discord:1"] }],
    ["ids that differ in case", { alice: ["slack:U1"], bob: ["slack:u1"] }],
    ["the longest name", { ["a".repeat(64)]: ["telegram:1"] }],
    ["a name that objects know", { constructor: ["telegram:1"] }],
  ])("accepts %s", (_name, links) => {
    expect(codeOf(() => parseIdentityLinks(links))).toBe("none");
  });

  it.each([
    ["a blank name", { "": ["telegram:1"] }],
    ["a name in capitals", { Alice: ["telegram:1"] }],
    ["a name with a blank", { " alice": ["telegram:1"] }],
    ["a name of 65 characters", { ["a".repeat(65)]: ["telegram:1"] }],
    ["a name that begins with a dash", { "-a": [] }],
    ["a bare id", { alice: ["7550356539"] }],
    ["a channel without an id", { alice: ["telegram: "] }],
    ["an id without a channel", { alice: [":1"] }],
    ["a reserved channel", { alice: ["dm:1"] }],
    ["a malformed channel", { alice: ["tele_gram:1"] }],
    ["a lone surrogate", { alice: ["telegram:\ud800"] }],
    ["one id with two names", { alice: ["telegram:1"], bob: ["telegram:1"] }],
    ["one id with two names, spelled differently", { alice: ["telegram:1"], bob: ["Telegram: 1"] }],
    ["an entry that is a number", { alice: [7] }],
    ["one entry instead of a list", { alice: "telegram:1" }],
    ["a list instead of a record", [["telegram:1"]]],
    ["a Map, which would read as empty", new Map([["alice", ["telegram:1"]]])],
    ["a text", "alice"],
    ["an object that is no record of lists", { persons: new Set(["alice"]) }],
  ])("refuses %s", (_name, links) => {
    expect(codeOf(() => parseIdentityLinks(links))).toBe("invalid_identity_links");
    expect(messageOf(() => parseIdentityLinks(links))).toMatch(MESSAGE_FORM);
  });

  it("names the setting by its path and keeps the id to itself", () => {
    const message = messageOf(() => parseIdentityLinks({ alice: ["telegram:1", "7550356539"] }));
    expect(message).toContain('session.identityLinks["alice"][1]');
    expect(message).not.toContain("7550356539");
  });

  it.each([
    ["telegram", "1", "alice"],
    ["discord", "a:b", "alice"],
    ["discord", "A:b", undefined],
    ["telegram", "a:b", undefined],
    ["discord", "1", undefined],
    ["telegram", "alice", undefined],
  ])("finds on %s for %j the person %j", (channel, id, person) => {
    const links = parseIdentityLinks({ alice: ["Telegram: 1 ", "discord:a:b"] });
    expect(links.find(channel, id)).toBe(person);
  });
});

it("is read once: keys built from the index do not look at ten thousand links again", () => {
  let reads = 0;
  const written = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`p${n}`, [`telegram:${n}`]]));
  const counted = new Proxy(written, {
    get(target, name) {
      reads += 1;
      return typeof name === "string" ? target[name] : undefined;
    },
  });
  const identityLinks = parseIdentityLinks(counted);
  const readsOfParse = reads;
  for (let n = 0; n < 10_000; n += 1) {
    const key = buildAgentPeerSessionKey({ channel: "telegram", peerKind: "dm", peerId: `${n}`, identityLinks });
    expect(key).toBe(`agent:main:dm:p${n}`);
  }
  expect(readsOfParse).toBeGreaterThanOrEqual(10_000);
  expect(reads).toBe(readsOfParse);
});
