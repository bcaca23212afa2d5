import { expect, it } from "vitest";
import { findOrphanedSession, type ReachRules } from "../../src/inbound/orphaned-session.ts";
import type { RouteTable } from "../../src/inbound/route.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";

const TABLE: RouteTable = {
  routes: [],
  defaultAgent: "main",
  scope: "per-sender",
  dmScope: "per-channel-peer",
};
const VIEW = {
  links: parseIdentityLinks({ alice: ["irc:42", "telegram:7"] }),
  listChatIds: (_channel: string, chat: string) => [chat],
};

function find(
  key: string,
  writers: readonly string[],
  table: Partial<RouteTable> = {},
  rules: Partial<ReachRules> = {},
) {
  const written = writers.map((text) => ({ channel: text.split(":")[0] ?? "", peer: text.split(":")[1] ?? "" }));
  return findOrphanedSession(
    { key, writers: written },
    {
      routes: { ...TABLE, ...table },
      view: VIEW,
      agents: ["main"],
      accounts: [
        { channel: "irc", account: "work" },
        { channel: "irc", account: "home" },
      ],
      ...rules,
    },
  );
}

it.each<[string, string, string[], Partial<RouteTable>]>([
  ["a DM", "agent:main:irc:dm:9", ["irc:9"], {}],
  ["a DM of a channel that is off", "agent:main:discord:dm:9", ["discord:9"], {}],
  ["a DM without a writer on record", "agent:main:irc:dm:9", [], {}],
  ["a linked person's DM", "agent:main:dm:alice", ["irc:42"], {}],
  ["a linked person's DM without a writer on record", "agent:main:dm:alice", [], {}],
  ["a group", "agent:main:irc:group:%23grove", ["irc:9", "irc:10"], {}],
  ["a thread in a channel", "agent:main:irc:channel:1:thread:2", ["irc:9"], {}],
  ["a thread in a DM, of one account", "agent:main:irc:work:dm:9:thread:5", ["irc:9"], {}],
  ["the main session that only the operator used", "agent:main:main", [], {}],
  ["the main session under scope main", "agent:main:main", ["irc:9"], { dmScope: "main" }],
  [
    "a DM under per-account-channel-peer",
    "agent:main:irc:home:dm:9",
    ["irc:9"],
    { dmScope: "per-account-channel-peer" },
  ],
  ["a sub-agent", "agent:main:subagent:5f0c", [], {}],
  ["the one session for all", "global", ["irc:9"], { scope: "global" }],
])("reached: %s", (_name, key, writers, table) => {
  expect(find(key, writers, table)).toBeUndefined();
});

it.each<[string, string, string[], Partial<RouteTable>, string | undefined]>([
  ["scope main was left", "agent:main:main", ["irc:9"], {}, "agent:main:irc:dm:9"],
  ["scope main of two people was left", "agent:main:main", ["irc:9", "irc:10"], {}, undefined],
  ["the sender was linked since", "agent:main:irc:dm:42", ["irc:42"], {}, "agent:main:dm:alice"],
  ["the link was taken away", "agent:main:dm:bob", ["irc:9"], {}, "agent:main:irc:dm:9"],
  ["the scope grew", "agent:main:irc:dm:9", ["irc:9"], { dmScope: "per-account-channel-peer" }, undefined],
  [
    "another agent takes the DMs",
    "agent:main:irc:dm:9",
    ["irc:9"],
    { defaultAgent: "coding" },
    "agent:coding:irc:dm:9",
  ],
  ["one session for all was chosen", "agent:main:irc:dm:9", ["irc:9"], { scope: "global" }, "global"],
  ["one session for all was left", "global", ["irc:9"], {}, undefined],
  ["the agent is gone", "agent:old:irc:dm:9", ["irc:9"], {}, undefined],
  ["a form of another program", "agent:main:whatsapp", [], {}, undefined],
])("orphaned: %s", (_name, key, writers, table, target) => {
  const found = find(key, writers, table);
  expect(found).toMatchObject({ key, reason: expect.any(String) });
  expect(found?.target).toBe(target);
});

it("a chat's session is not orphaned while a guild's route may lead to it", () => {
  const routes = [{ agent: "ops", match: { channel: "irc", guild: "9" } }];
  const agents = ["main", "ops", "old"];
  for (const agent of ["main", "ops"])
    expect(find(`agent:${agent}:irc:channel:1:thread:2`, ["irc:9"], { routes }, { agents })).toBeUndefined();
  // Where its people write now cannot be said.
  const orphan = find("agent:old:irc:channel:1", ["irc:9"], { routes }, { agents });
  expect(orphan).toMatchObject({ key: "agent:old:irc:channel:1" });
  expect(orphan?.target).toBeUndefined();
  expect(find("agent:ops:irc:dm:9", ["irc:9"], { routes }, { agents })?.target).toBe("agent:main:irc:dm:9");
});
