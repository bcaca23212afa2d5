import { formatAddress, type InboundMessage } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { buildRoutePicture, type RoutePicture } from "../../src/access/route-state.ts";
import { decideInbound } from "../../src/inbound/decide-inbound.ts";
import { findChatSession } from "../../src/inbound/find-chat-session.ts";
import type { RouteTable } from "../../src/inbound/route-message.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";

const PLACE = { channel: "irc", account: "work" } as const;
const DM = formatAddress({ ...PLACE, kind: "dm", chat: "ada" });
const THREAD = formatAddress({ ...PLACE, kind: "group", chat: "grove", thread: "7" });
const THREAD_KEY = "agent:main:irc:group:grove:thread:7";
const CHILD = "agent:main:subagent:5f0c";
const ROUTES = { routes: [], defaultAgent: "main", dmScope: "per-channel-peer", scope: "per-sender" } as const;

function buildPicture(address: string, kind: "thread" | "focus", sessionKey: string | undefined): RoutePicture {
  const bindings = sessionKey === undefined ? [] : [{ id: "b", address, sessionKey, kind, createdAtMs: 1 }];
  return buildRoutePicture({ revision: 1, approved: [], links: [], chatMoves: [], bindings }, parseIdentityLinks({}));
}

function decide(routes: RouteTable, picture: RoutePicture, message: InboundMessage) {
  return decideInbound(message, {
    access: {
      dmPolicy: "open",
      allowFrom: new Set(),
      groups: { policy: "open", allow: new Set(), guilds: new Set(), requireMention: true },
      catchUpMs: 0,
      isOperatorOnly: false,
    },
    routes,
    picture,
    commands: new Set(),
    commandsWithMessage: new Set(),
    now: 1_000,
  });
}

it.each([
  ["a direct chat", DM, undefined, ROUTES, "agent:main:irc:dm:ada"],
  ["a thread", THREAD, undefined, ROUTES, THREAD_KEY],
  ["a thread that is bound to a child", THREAD, CHILD, ROUTES, CHILD],
  ["a thread whose binding names no agent's session", THREAD, "global", ROUTES, THREAD_KEY],
  ["a direct chat whose binding names no agent's session", DM, "global", ROUTES, "agent:main:irc:dm:ada"],
  ["the same where all share one session", DM, "global", { ...ROUTES, scope: "global" } as const, "global"],
])("%s: the session that is found for it is the one its next message goes to", (_, address, bound, routes, key) => {
  const picture = buildPicture(address, "thread", bound);
  const message = { id: "m", address, sender: { id: "ada" }, text: "hello", at: 1_000, addressed: true };
  expect(decide(routes, picture, message)).toMatchObject({ status: "accepted", sessionKey: key });
  expect(findChatSession(routes, picture, address)).toBe(key);
});

it("a thread whose binding names no agent's session needs a mention, as any other", () => {
  const message = { id: "m", address: THREAD, sender: { id: "ada" }, text: "just talking", at: 1_000 };
  const reason = (bound: string) => decide(ROUTES, buildPicture(THREAD, "thread", bound), message);
  expect(reason(CHILD)).toMatchObject({ status: "accepted" });
  expect(reason("global")).toEqual({ status: "refused", reason: "not_addressed" });
});

it("text that is no address has no session", () => {
  expect(findChatSession(ROUTES, buildPicture(DM, "focus", undefined), "somewhere")).toBeUndefined();
});
