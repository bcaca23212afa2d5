import { formatAddress, type Sender } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import type { AccessPolicy } from "../../src/access/decide-access.ts";
import { buildRoutePicture } from "../../src/access/route-state.ts";
import { findCommandSession } from "../../src/inbound/find-command-session.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";

const ACCESS: AccessPolicy = {
  dmPolicy: "allowlist",
  allowFrom: new Set(["ada"]),
  groups: { policy: "allowlist", allow: new Set(["grove"]), guilds: new Set(["900"]), requireMention: true },
  catchUpMs: 1,
  isOperatorOnly: false,
};
const PLACE = { channel: "irc", account: "work" } as const;
const THREAD = formatAddress({ ...PLACE, kind: "channel", chat: "hall", thread: "7" });
const routes = {
  routes: [{ agent: "ops", match: { channel: "irc", guild: "900", roles: ["5"] } }],
  defaultAgent: "main",
  scope: "per-sender",
  dmScope: "per-channel-peer",
} as const;
const picture = buildRoutePicture(
  {
    revision: 1,
    approved: [],
    links: [],
    chatMoves: [],
    bindings: [{ id: "b", address: THREAD, sessionKey: "agent:main:subagent:5f0c", kind: "thread", createdAtMs: 1 }],
  },
  parseIdentityLinks({}),
);

function find(
  sender: Sender,
  kind: "dm" | "group" | "channel",
  chat: string,
  more: { guild?: string; thread?: string } = {},
) {
  const { guild, thread } = more;
  const address = formatAddress({ ...PLACE, kind, chat, ...(thread === undefined ? {} : { thread }) });
  const request = { address, sender, ...(guild === undefined ? {} : { guild }) };
  return findCommandSession(request, { access: ACCESS, routes, routeState: { picture }, now: 5_000 });
}

it.each<[string, Sender, Parameters<typeof find>[1], string, Parameters<typeof find>[3], string | undefined]>([
  ["who may talk in a DM", { id: "ada" }, "dm", "ada", {}, "agent:main:irc:dm:ada"],
  ["a stranger", { id: "eve" }, "dm", "eve", {}, undefined],
  ["whoever is in a group on the list", { id: "eve" }, "group", "grove", {}, "agent:main:irc:group:grove"],
  ["whoever is in another one", { id: "ada" }, "group", "lodge", {}, undefined],
  [
    "whoever is in a server on the list",
    { id: "eve" },
    "channel",
    "hall",
    { guild: "900" },
    "agent:main:irc:channel:hall",
  ],
  [
    "who has a role there",
    { id: "eve", roles: ["5"] },
    "channel",
    "hall",
    { guild: "900" },
    "agent:ops:irc:channel:hall",
  ],
  ["a bot", { id: "robot", isBot: true }, "group", "grove", {}, undefined],
  [
    "whoever is in a sub-agent's thread",
    { id: "eve" },
    "channel",
    "hall",
    { guild: "900", thread: "7" },
    "agent:main:subagent:5f0c",
  ],
])("a command of %s acts on the session that it would there", (_who, sender, kind, chat, more, expected) => {
  expect(find(sender, kind, chat, more)).toBe(expected);
});
