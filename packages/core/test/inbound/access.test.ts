import type { AddressParts, Sender } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import {
  type AccessPolicy,
  type AccessQuestion,
  decideAccess,
  decideAudience,
  type GroupAccess,
  needsAllMessages,
} from "../../src/inbound/access.ts";
import { buildRouteView } from "../../src/inbound/route-state.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";

const POLICY: AccessPolicy = {
  dmPolicy: "allowlist",
  allowFrom: new Set(["42"]),
  groups: { policy: "allowlist", allow: new Set(["-100"]), guilds: new Set(), requireMention: true },
  catchUpMs: 0,
  isOperatorOnly: false,
};
const DM: AddressParts = { channel: "irc", account: "work", kind: "dm", chat: "42" };
const VIEW = buildRouteView(
  {
    revision: 1,
    approved: [
      { channel: "irc", account: "work", senderId: "8" },
      { channel: "irc", account: "home", senderId: "9" },
      { channel: "xmpp", account: "work", senderId: "10" },
    ],
    links: [{ channel: "irc", peer: "11", person: "ada", linkedAtMs: 1 }],
    bindings: [],
    chatMoves: [
      { channel: "irc", fromChat: "-100", toChat: "-200" },
      { channel: "irc", fromChat: "-200", toChat: "-300" },
      { channel: "xmpp", fromChat: "-100", toChat: "-400" },
    ],
  },
  parseIdentityLinks({ ada: ["irc:42"] }),
);

interface Said {
  readonly addressed?: boolean;
  readonly isCommand?: boolean;
  readonly isInChildThread?: boolean;
  readonly guild?: string;
}

function decide(
  sender: Sender,
  policy: Partial<AccessPolicy> = {},
  place: Partial<AddressParts> = {},
  said: Said = {},
) {
  const { isCommand = false, isInChildThread = false, ...rest } = said;
  const message = { sender, ...rest };
  const question: AccessQuestion = { place: { ...DM, ...place }, message, isCommand, isInChildThread };
  return decideAccess({ ...POLICY, ...policy }, question, VIEW);
}

function wordFor(decision: ReturnType<typeof decideAccess>): string {
  if (decision.allowed) return "allowed";
  return decision.offersPairing ? `${decision.reason}, code` : decision.reason;
}

describe("DMs", () => {
  it.each<[string, string, string, string, string, string]>([
    // who                         id     pairing                allowlist         open       disabled
    ["somebody on the list", "42", "allowed", "allowed", "allowed", "dm_disabled"],
    ["somebody who was let in", "8", "allowed", "unknown_sender", "allowed", "dm_disabled"],
    ["somebody let in, with blanks", " 8 ", "allowed", "unknown_sender", "allowed", "dm_disabled"],
    ["somebody let in on another account", "9", "unknown_sender, code", "unknown_sender", "allowed", "dm_disabled"],
    ["somebody let in on another channel", "10", "unknown_sender, code", "unknown_sender", "allowed", "dm_disabled"],
    ["a linked account that was not let in", "11", "unknown_sender, code", "unknown_sender", "allowed", "dm_disabled"],
    ["a stranger", "7", "unknown_sender, code", "unknown_sender", "allowed", "dm_disabled"],
    ["an id that only begins alike", "421", "unknown_sender, code", "unknown_sender", "allowed", "dm_disabled"],
    ["an id with a zero-width space", "8\u200b", "unknown_sender, code", "unknown_sender", "allowed", "dm_disabled"],
    [
      "an id with a space, on the list without",
      " 42",
      "unknown_sender, code",
      "unknown_sender",
      "allowed",
      "dm_disabled",
    ],
    ["an id in other digits", "４２", "unknown_sender, code", "unknown_sender", "allowed", "dm_disabled"],
    ["no id", "", "unknown_sender", "unknown_sender", "allowed", "dm_disabled"],
    ["an id of blanks", " \t", "unknown_sender", "unknown_sender", "allowed", "dm_disabled"],
    ["half a character", "\ud800", "unknown_sender", "unknown_sender", "allowed", "dm_disabled"],
    ["an endless id", "7".repeat(129), "unknown_sender", "unknown_sender", "allowed", "dm_disabled"],
  ])("%s", (_name, id, ...expected) => {
    const policies = ["pairing", "allowlist", "open", "disabled"] as const;
    for (const said of [{}, { addressed: true }, { isCommand: true }])
      expect(policies.map((dmPolicy) => wordFor(decide({ id }, { dmPolicy }, {}, said)))).toEqual(expected);
  });

  it.each<[string, Sender, Partial<AccessPolicy>, Partial<AddressParts>, string]>([
    ["in a thread as without", { id: "42" }, {}, { thread: "7" }, "allowed"],
    ["the operator", { id: "me", isBot: true }, { isOperatorOnly: true, dmPolicy: "disabled" }, {}, "allowed"],
  ])("%s", (_name, sender, policy, place, expected) => {
    expect(wordFor(decide(sender, policy, place))).toBe(expected);
  });

  it.each<[string, Sender, Partial<AccessPolicy>, Partial<AddressParts>, string]>([
    ["a stranger with the name of somebody on the list", { id: "7", displayName: "42" }, {}, {}, "unknown_sender"],
    ["a stranger in the chat of somebody on the list", { id: "7" }, {}, { chat: "42" }, "unknown_sender"],
    ["an id of the list of groups", { id: "-100" }, {}, { chat: "-100" }, "unknown_sender"],
  ])("attack 8: %s is decided by the id only", (_name, sender, policy, place, expected) => {
    expect(wordFor(decide(sender, policy, place))).toBe(expected);
  });

  it.each<[string, Sender, Partial<AccessPolicy>, Partial<AddressParts>, string]>([
    ["a bot", { id: "7", isBot: true }, { dmPolicy: "open" }, {}, "bot"],
    ["a bot that asks for a code", { id: "7", isBot: true }, { dmPolicy: "pairing" }, {}, "bot"],
    ["a bot that was let in by mistake", { id: "8", isBot: true }, { dmPolicy: "pairing" }, {}, "bot"],
    ["a bot on the list", { id: "42", isBot: true }, {}, {}, "allowed"],
    ["a bot on the list when DMs are off", { id: "42", isBot: true }, { dmPolicy: "disabled" }, {}, "dm_disabled"],
  ])("attack 21: %s is allowed where it is listed, and nowhere else", (_name, sender, policy, place, expected) => {
    expect(wordFor(decide(sender, policy, place))).toBe(expected);
  });
});

describe("groups and channels", () => {
  const kinds = ["group", "channel"] as const;

  it.each<[string, GroupAccess["policy"], string, string]>([
    ["on the list", "allowlist", "-100", "allowed"],
    ["not on the list", "allowlist", "-101", "group"],
    ["on the list under its former id", "allowlist", "-200", "allowed"],
    ["on the list under the id before that", "allowlist", "-300", "allowed"],
    ["that another channel's chat has become", "allowlist", "-400", "group"],
    ["with the id of a sender on the list", "allowlist", "42", "group"],
    ["where all are open", "open", "-101", "allowed"],
    ["where all are off", "disabled", "-100", "group"],
  ])("one %s", (_name, policy, chat, expected) => {
    const groups = { ...POLICY.groups, policy };
    for (const kind of kinds) {
      for (const dmPolicy of ["pairing", "allowlist", "open", "disabled"] as const) {
        const place = { kind, chat };
        expect(wordFor(decide({ id: "7" }, { groups, dmPolicy }, place, { addressed: true }))).toBe(expected);
        expect(
          wordFor(decide({ id: "42" }, { groups, dmPolicy }, { ...place, thread: "5" }, { addressed: true })),
        ).toBe(expected);
      }
    }
  });

  it.each<[string, GroupAccess["policy"], Said, string]>([
    ["of a server on the list", "allowlist", { guild: "900" }, "allowed"],
    ["of a server on the list, its id with blanks", "allowlist", { guild: " 900 " }, "allowed"],
    ["of another server", "allowlist", { guild: "901" }, "group"],
    ["of no server", "allowlist", {}, "group"],
    ["of a server on the list where all are off", "disabled", { guild: "900" }, "group"],
    ["of a server whose id is on the list of chats", "allowlist", { guild: "-100" }, "group"],
  ])("one %s, in a thread as without", (_name, policy, said, expected) => {
    const groups = { ...POLICY.groups, policy, guilds: new Set(["900"]) };
    for (const thread of [{}, { thread: "5" }]) {
      const place = { kind: "channel", chat: "-101", ...thread } as const;
      expect(wordFor(decide({ id: "7" }, { groups }, place, { ...said, addressed: true }))).toBe(expected);
    }
    // A server lets nobody in by a direct chat.
    expect(wordFor(decide({ id: "7" }, { groups }, {}, said))).toBe("unknown_sender");
  });

  it.each<[string, Said, boolean, string]>([
    ["addressed to the bot", { addressed: true }, true, "allowed"],
    ["for all", { addressed: false }, true, "not_addressed"],
    ["for all, of a platform that does not say", {}, true, "not_addressed"],
    ["a command of the host", { isCommand: true }, true, "allowed"],
    ["a command of the host that names nobody", { addressed: false, isCommand: true }, true, "allowed"],
    ["for all, in a child's thread", { addressed: false, isInChildThread: true }, true, "allowed"],
    ["for all, where the bot hears all", { addressed: false }, false, "allowed"],
    ["addressed, where the bot hears all", { addressed: true }, false, "allowed"],
  ])("what is %s", (_name, said, requireMention, expected) => {
    const groups = { ...POLICY.groups, requireMention };
    for (const kind of kinds)
      expect(wordFor(decide({ id: "7" }, { groups }, { kind, chat: "-100" }, said))).toBe(expected);
    // What is not addressed in a group that is not on the list is the group's refusal.
    expect(wordFor(decide({ id: "7" }, { groups }, { kind: "group", chat: "-9" }, said))).toBe("group");
  });

  it.each<[string, Sender, string]>([
    ["a bot", { id: "7", isBot: true }, "bot"],
    ["a bot on the list", { id: "42", isBot: true }, "allowed"],
    ["the group itself, as its anonymous admins write", { id: "-100" }, "allowed"],
    ["a channel that posts there", { id: "-555", displayName: "News" }, "allowed"],
    ["somebody whose DMs are refused", { id: "7" }, "allowed"],
  ])("%s in a group on the list", (_name, sender, expected) => {
    expect(wordFor(decide(sender, {}, { kind: "group", chat: "-100" }, { addressed: true }))).toBe(expected);
  });
});

describe("the answer to a sender without access", () => {
  it("a stranger with an allow list: the sender's id, and both ways to allow it", () => {
    expect(decide({ id: "7" }, { allowFromVariable: "IRC_ALLOW_FROM" })).toEqual({
      allowed: false,
      reason: "unknown_sender",
      notice:
        'This bot is private. Your id here is 7; its owner can let you in with `channels.irc.accounts.work.allowFrom: ["7"]` (or IRC_ALLOW_FROM=7).',
    });
    expect(decide({ id: "7" })).toMatchObject({ notice: expect.not.stringContaining("(or") });
  });

  it.each<[string, Sender, Partial<AccessPolicy>, Partial<AddressParts>]>([
    ["a stranger who gets a code", { id: "7" }, { dmPolicy: "pairing", allowFromVariable: "X" }, {}],
    ["bots", { id: "7", isBot: true }, {}, {}],
    ["groups", { id: "7" }, {}, { kind: "group" }],
    ["whom nobody addresses", { id: "7" }, {}, { kind: "group", chat: "-100" }],
    ["anybody, when DMs are off", { id: "7" }, { dmPolicy: "disabled" }, {}],
  ])("%s: no answer", (_name, sender, policy, place) => {
    expect(decide(sender, policy, place)).not.toHaveProperty("notice");
  });
});

describe("all messages of a group are needed", () => {
  it.each<[string, Partial<GroupAccess>, boolean]>([
    ["of any group, without a mention", { policy: "open", allow: new Set(), requireMention: false }, true],
    ["of a group on the list, without a mention", { requireMention: false }, true],
    [
      "of the chats of a server on the list, without a mention",
      { allow: new Set(), guilds: new Set(["900"]), requireMention: false },
      true,
    ],
    ["of no group, as none is on the list", { allow: new Set(), requireMention: false }, false],
    ["of no group, as groups are off", { policy: "disabled", requireMention: false }, false],
    ["of any group, with a mention", { policy: "open" }, false],
    ["of a group on the list, with a mention", {}, false],
  ])("%s", (_name, groups, expected) => {
    expect(needsAllMessages({ groups: { ...POLICY.groups, ...groups } })).toBe(expected);
  });
});

it.each([
  [true, "open", "dm", "known"],
  [true, "open", "group", "known"],
  [false, "pairing", "dm", "known"],
  [false, "allowlist", "dm", "known"],
  [false, "disabled", "dm", "known"],
  [false, "open", "dm", "anybody"],
  [false, "allowlist", "group", "anybody"],
  [false, "allowlist", "channel", "anybody"],
] as const)("operator only %s, policy %s, %s: %s", (isOperatorOnly, dmPolicy, kind, audience) => {
  expect(decideAudience({ isOperatorOnly, dmPolicy }, kind)).toBe(audience);
});
