import { type AddressParts, formatAddress, type InboundMessage, type Sender } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { type AccessPolicy, decideAccess } from "../../src/access/decide-access.ts";

const POLICY: AccessPolicy = {
  dmPolicy: "allowlist",
  allowFrom: new Set(["42"]),
  groupPolicy: "disabled",
  isOperatorOnly: false,
};
const DM: AddressParts = { channel: "irc", account: "work", kind: "dm", chat: "42" };

function decide(sender: Sender, policy: Partial<AccessPolicy> = {}, place: Partial<AddressParts> = {}) {
  const parts = { ...DM, ...place };
  const message: InboundMessage = { id: "1", address: formatAddress(parts), sender, text: "hello", at: 1 };
  return decideAccess({ ...POLICY, ...policy }, parts, message);
}

describe("who may talk", () => {
  it.each<[string, Sender, Partial<AccessPolicy>, Partial<AddressParts>, string]>([
    ["somebody on the list", { id: "42" }, {}, {}, "allowed"],
    ["somebody on the list, in a thread", { id: "42" }, {}, { thread: "7" }, "allowed"],
    ["anybody, when it is open", { id: "7" }, { dmPolicy: "open" }, {}, "allowed"],
    ["a stranger", { id: "7" }, {}, {}, "unknown_sender"],
    ["a stranger with the name of somebody on the list", { id: "7", displayName: "42" }, {}, {}, "unknown_sender"],
    ["a stranger in the chat of somebody on the list", { id: "7" }, {}, { chat: "42" }, "unknown_sender"],
    ["an id that only begins alike", { id: "421" }, {}, {}, "unknown_sender"],
    ["an id with a zero-width space", { id: "42\u200b" }, {}, {}, "unknown_sender"],
    ["an id with a space", { id: " 42" }, {}, {}, "unknown_sender"],
    ["an id in other digits", { id: "４２" }, {}, {}, "unknown_sender"],
    ["no id", { id: "" }, {}, {}, "unknown_sender"],
    ["somebody on the list, when DMs are off", { id: "42" }, { dmPolicy: "disabled" }, {}, "dm_disabled"],
    ["a bot on the list", { id: "42", isBot: true }, {}, {}, "bot"],
    ["a bot, when it is open", { id: "7", isBot: true }, { dmPolicy: "open" }, {}, "bot"],
    ["somebody on the list, in a group", { id: "42" }, {}, { kind: "group" }, "group"],
    ["somebody on the list, in a channel", { id: "42" }, {}, { kind: "channel", thread: "7" }, "group"],
    ["anybody in a group, when DMs are open", { id: "42" }, { dmPolicy: "open" }, { kind: "group" }, "group"],
    [
      "the operator, whatever the policy says",
      { id: "me", isBot: true },
      { isOperatorOnly: true, dmPolicy: "disabled" },
      { kind: "group" },
      "allowed",
    ],
  ])("%s", (_name, sender, policy, place, expected) => {
    const decision = decide(sender, policy, place);
    expect(decision.allowed ? "allowed" : decision.reason).toBe(expected);
  });
});

describe("what who may not talk is told", () => {
  it("a stranger: his id, and both ways to be let in", () => {
    expect(decide({ id: "7" }, { allowFromVariable: "IRC_ALLOW_FROM" })).toEqual({
      allowed: false,
      reason: "unknown_sender",
      tell: 'This bot is private. Your id here is 7; its owner can let you in with `channels.irc.accounts.work.allowFrom: ["7"]` (or IRC_ALLOW_FROM=7).',
    });
    expect(decide({ id: "7" })).toMatchObject({ tell: expect.not.stringContaining("(or") });
  });

  it.each<[string, Sender, Partial<AccessPolicy>, Partial<AddressParts>]>([
    ["bots", { id: "7", isBot: true }, {}, {}],
    ["groups", { id: "7" }, {}, { kind: "group" }],
    ["anybody, when DMs are off", { id: "7" }, { dmPolicy: "disabled" }, {}],
  ])("%s: nothing", (_name, sender, policy, place) => {
    expect(decide(sender, policy, place)).not.toHaveProperty("tell");
  });
});
