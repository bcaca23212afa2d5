import { type AddressParts, formatAddress, type InboundMessage, type Sender } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { CommandRegistry } from "../../src/inbound/commands.ts";
import { decideInbound } from "../../src/inbound/decide.ts";
import { findChatSession, type Route, type RouteTable, routeMessage } from "../../src/inbound/route.ts";
import { buildRouteView, type RouteView } from "../../src/inbound/route-state.ts";
import { BanyanError } from "../../src/ports/errors.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";

const DM: AddressParts = { channel: "irc", account: "work", kind: "dm", chat: "room-of-7" };
const TABLE: RouteTable = {
  routes: [],
  defaultAgent: "main",
  scope: "per-sender",
  dmScope: "per-channel-peer",
};
const VIEW = buildRouteView(
  { revision: 1, approved: [], links: [], chatMoves: [{ channel: "irc", fromChat: "7", toChat: "77" }], bindings: [] },
  parseIdentityLinks({ alice: ["irc:42"] }),
);

function route(table: Partial<RouteTable>, place: Partial<AddressParts> = {}, senderId = "7") {
  const parts = { ...DM, ...place };
  const sender = { id: senderId, displayName: "alice" };
  const message: InboundMessage = { id: "1", address: formatAddress(parts), sender, text: "x", at: 1 };
  return routeMessage({ ...TABLE, ...table }, VIEW, parts, message);
}

describe("the session", () => {
  it.each<[string, Partial<RouteTable>, Partial<AddressParts>, string]>([
    ["a DM goes by its sender, not by its chat", {}, {}, "agent:main:irc:dm:7"],
    ["a DM under scope main", { dmScope: "main" }, {}, "agent:main:main"],
    ["a DM under per-peer", { dmScope: "per-peer" }, {}, "agent:main:dm:7"],
    ["a DM under per-account-channel-peer", { dmScope: "per-account-channel-peer" }, {}, "agent:main:irc:work:dm:7"],
    ["a DM in a thread", {}, { thread: "5" }, "agent:main:irc:work:dm:7:thread:5"],
    ["a group goes by its chat", {}, { kind: "group", chat: "-100" }, "agent:main:irc:group:-100"],
    ["a channel's thread", {}, { kind: "channel", chat: "a:b", thread: "5" }, "agent:main:irc:channel:a%3Ab:thread:5"],
    ["one session for all", { scope: "global" }, {}, "global"],
  ])("%s", (_name, table, place, sessionKey) => {
    expect(route(table, place)).toEqual({ agentId: "main", sessionKey });
  });

  it("is the person's own for a linked id, and never by the name alone", () => {
    expect(route({}, {}, "42")).toEqual({ agentId: "main", sessionKey: "agent:main:dm:alice", person: "alice" });
    expect(route({}, {}, " 42 ")).toMatchObject({ sessionKey: "agent:main:dm:alice", person: "alice" });
    expect(route({}, {}, "alice")).toEqual({ agentId: "main", sessionKey: "agent:main:irc:dm:alice" });
    expect(route({ dmScope: "per-peer" }, {}, "alice").sessionKey).not.toBe("agent:main:dm:alice");
    expect(route({}, { channel: "xmpp" }, "42").person).toBeUndefined();
    expect(route({}, { kind: "group", chat: "42" }, "42").person).toBeUndefined();
  });

  it.each<[string, string, Partial<AddressParts>]>([
    ["a blank sender", "", {}],
    ["a sender of blanks", " \t ", {}],
    ["half a character", "\ud800", {}],
    ["a reserved channel", "7", { channel: "agent" }],
    ["a blank thread", "7", { thread: " " }],
    ["a blank group", "7", { kind: "group", chat: " " }],
  ])("is never guessed: %s", (_name, senderId, place) => {
    for (const dmScope of ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"] as const) {
      expect(() => route({ dmScope }, place, senderId)).toThrow(BanyanError);
    }
  });
});

describe("the agent", () => {
  const routes: readonly Route[] = [
    { agent: "guild", match: { channel: "irc", guild: "g" } },
    { agent: "friend", match: { channel: "irc", peer: { kind: "dm", id: "7" } }, session: { dmScope: "main" } },
    { agent: "room", match: { channel: "irc", peer: { kind: "group", id: "7" } } },
    { agent: "worker", match: { channel: "irc", account: "work" } },
    { agent: "any", match: { channel: "irc" } },
  ];

  it.each<[string, Partial<AddressParts>, string, string]>([
    ["the sender of a DM", {}, "7", "agent:friend:main"],
    ["the sender, trimmed", {}, " 7 ", "agent:friend:main"],
    ["another sender on the account", {}, "8", "agent:worker:irc:dm:8"],
    ["a sender of a group is no peer of its own", { kind: "group", chat: "9" }, "7", "agent:worker:irc:group:9"],
    ["a group", { kind: "group", chat: "7" }, "8", "agent:room:irc:group:7"],
    ["a group that has moved since", { kind: "group", chat: "77" }, "8", "agent:room:irc:group:77"],
    ["a group's former id says nothing of a DM", {}, "77", "agent:worker:irc:dm:77"],
    ["another account", { account: "home" }, "8", "agent:any:irc:dm:8"],
    ["another channel", { channel: "xmpp" }, "7", "agent:main:xmpp:dm:7"],
  ])("is the first route's that matches: %s", (_name, place, senderId, sessionKey) => {
    expect(route({ routes }, place, senderId).sessionKey).toBe(sessionKey);
  });

  it.each<[string, Partial<AddressParts>, Pick<InboundMessage, "guild"> & Pick<Sender, "roles">, string]>([
    ["a thread by its own id", { thread: "t9" }, { guild: "g", roles: ["mod"] }, "thread"],
    [
      "another thread by the chat that it is in",
      { chat: "hall", thread: "t8" },
      { guild: "g", roles: ["mod"] },
      "hall",
    ],
    ["the chat", { chat: "hall" }, { guild: "g", roles: ["mod"] }, "hall"],
    ["a chat that has a thread's id", { chat: "t9" }, { guild: "g" }, "thread"],
    ["any of the roles there", {}, { guild: "g", roles: ["x", "mod"] }, "mods"],
    ["a role's id with blanks", {}, { guild: " g ", roles: [" admin "] }, "mods"],
    ["the guild alone", {}, { guild: "g", roles: ["x"] }, "guild"],
    ["the guild of somebody without roles", {}, { guild: "g" }, "guild"],
    ["the same role in another guild", {}, { guild: "h", roles: ["mod"] }, "worker"],
    ["no guild", {}, { roles: ["mod"] }, "worker"],
    ["another account", { account: "home" }, {}, "any"],
    // A direct chat is in no server, and its threads' ids are no peers.
    ["a direct chat", { kind: "dm" }, { guild: "g", roles: ["mod"] }, "worker"],
    ["a direct chat's thread", { kind: "dm", thread: "8" }, {}, "worker"],
  ])("is the most exact route's: %s", (_name, place, { guild, roles: own }, agentId) => {
    const match = (rest: Partial<Route["match"]>): Route["match"] => ({ channel: "irc", ...rest });
    // In the order in which the configuration sorts them.
    const exact: readonly Route[] = [
      { agent: "hall", match: match({ peer: { kind: "channel", id: "hall" } }) },
      { agent: "thread", match: match({ peer: { kind: "channel", id: "t9" } }) },
      { agent: "eight", match: match({ peer: { kind: "dm", id: "8" } }) },
      { agent: "mods", match: match({ guild: "g", roles: ["admin", "mod"] }) },
      { agent: "guild", match: match({ guild: "g" }) },
      { agent: "worker", match: match({ account: "work" }) },
      { agent: "any", match: match({}) },
    ];
    const parts: AddressParts = { ...DM, kind: "channel", chat: "9", ...place };
    const sender: Sender = { id: "7", ...(own === undefined ? {} : { roles: own }) };
    const message: InboundMessage = { id: "1", address: formatAddress(parts), sender, text: "x", at: 1 };
    const said = guild === undefined ? message : { ...message, guild };
    expect(routeMessage({ ...TABLE, routes: exact }, VIEW, parts, said).agentId).toBe(agentId);
  });

  it("is the default one in the global session, whatever the routes say", () => {
    expect(route({ routes, scope: "global" })).toEqual({ agentId: "main", sessionKey: "global" });
  });
});

const WORK = { channel: "irc", account: "work" } as const;
const ADA = formatAddress({ ...WORK, kind: "dm", chat: "ada" });
const THREAD = formatAddress({ ...WORK, kind: "group", chat: "grove", thread: "7" });
const THREAD_KEY = "agent:main:irc:group:grove:thread:7";
const CHILD = "agent:main:subagent:5f0c";
const ROUTES: RouteTable = { routes: [], defaultAgent: "main", dmScope: "per-channel-peer", scope: "per-sender" };

function buildView(address: string, kind: "thread" | "focus", sessionKey: string | undefined): RouteView {
  const bindings = sessionKey === undefined ? [] : [{ id: "b", address, sessionKey, kind, createdAtMs: 1 }];
  return buildRouteView({ revision: 1, approved: [], links: [], chatMoves: [], bindings }, parseIdentityLinks({}));
}

function decide(table: RouteTable, view: RouteView, message: InboundMessage) {
  return decideInbound(message, {
    access: {
      dmPolicy: "open",
      allowFrom: new Set(),
      groups: { policy: "open", allow: new Set(), guilds: new Set(), requireMention: true },
      catchUpMs: 0,
      isOperatorOnly: false,
    },
    table,
    view,
    commands: new CommandRegistry([]),
    now: 1_000,
  });
}

it.each([
  ["a direct chat", ADA, undefined, ROUTES, "agent:main:irc:dm:ada"],
  ["a thread", THREAD, undefined, ROUTES, THREAD_KEY],
  ["a thread that is bound to a child", THREAD, CHILD, ROUTES, CHILD],
  ["a thread whose binding names no agent's session", THREAD, "global", ROUTES, THREAD_KEY],
  ["a direct chat whose binding names no agent's session", ADA, "global", ROUTES, "agent:main:irc:dm:ada"],
  ["the same where all share one session", ADA, "global", { ...ROUTES, scope: "global" } as const, "global"],
])("%s: the session that is found for it is the one its next message goes to", (_, address, bound, routes, key) => {
  const view = buildView(address, "thread", bound);
  const message = { id: "m", address, sender: { id: "ada" }, text: "hello", at: 1_000, addressed: true };
  expect(decide(routes, view, message)).toMatchObject({ status: "accepted", sessionKey: key });
  expect(findChatSession(routes, view, address)).toBe(key);
});

it("a thread whose binding names no agent's session needs a mention, as any other", () => {
  const message = { id: "m", address: THREAD, sender: { id: "ada" }, text: "just talking", at: 1_000 };
  const reason = (bound: string) => decide(ROUTES, buildView(THREAD, "thread", bound), message);
  expect(reason(CHILD)).toMatchObject({ status: "accepted" });
  expect(reason("global")).toEqual({ status: "refused", reason: "not_addressed" });
});

it("text that is no address has no session", () => {
  expect(findChatSession(ROUTES, buildView(ADA, "focus", undefined), "somewhere")).toBeUndefined();
});
