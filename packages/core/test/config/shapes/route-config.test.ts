import { expect, it } from "vitest";
import { problemsOf, readWritten } from "../written-config.ts";

const agents = { main: { default: true }, ops: {} };

it("asks the exact routes before the general ones, and equals in the order they are written", () => {
  const { config } = readWritten({
    agents,
    routes: [
      { agent: "ops", match: { channel: "ferry" } },
      { agent: "main", match: { channel: "irc" } },
      { agent: "main", match: { channel: "ferry", account: "work" } },
      { agent: "ops", match: { channel: "ferry", peer: { kind: "dm", id: 42 } }, session: { dmScope: "main" } },
    ],
  });
  expect(config.routes.map(({ match }) => match)).toEqual([
    { channel: "ferry", peer: { kind: "dm", id: "42" } },
    { channel: "ferry", account: "work" },
    { channel: "ferry" },
    { channel: "irc" },
  ]);
  expect(config.routes[0]?.session).toEqual({ dmScope: "main" });
});

it("asks for a peer before roles, for these before their guild, and for a guild before an account", () => {
  const { config } = readWritten({
    agents,
    routes: [
      { agent: "ops", match: { channel: "ferry", account: "work" } },
      { agent: "ops", match: { channel: "ferry", guild: 9 } },
      { agent: "ops", match: { channel: "ferry", guild: "9", account: "work" } },
      { agent: "ops", match: { channel: "ferry", guild: "9", roles: [5, " 5 ", "6"] } },
      { agent: "ops", match: { channel: "ferry", peer: { kind: "channel", id: "1" } } },
    ],
  });
  expect(config.routes.map(({ match }) => match)).toEqual([
    { channel: "ferry", peer: { kind: "channel", id: "1" } },
    { channel: "ferry", guild: "9", roles: ["5", "6"] },
    { channel: "ferry", account: "work", guild: "9" },
    { channel: "ferry", guild: "9" },
    { channel: "ferry", account: "work" },
  ]);
});

it.each([
  [
    { agent: "ops", match: { channel: "ferry", roles: ["5"] } },
    "routes[0].match.roles: Roles need a guild; set guild to the server that has these roles",
  ],
  [
    { agent: "ops", match: { channel: "ferry", guild: "@grove" } },
    `routes[0].match.guild: A user name, not an id (got "@grove"); user names can change owners: write the platform's own id`,
  ],
  [
    { agent: "ops", match: { channel: "ferry", guild: "9", roles: ["5", "@mods"] } },
    `routes[0].match.roles[1]: A user name, not an id (got "@mods"); user names can change owners: write the platform's own id`,
  ],
  [{ agent: "osp", match: { channel: "ferry" } }, 'routes[0].agent: No such agent (got "osp"); did you mean "ops"?'],
  [
    { agent: "defaults", match: { channel: "ferry" } },
    'routes[0].agent: No such agent (got "defaults"); use one of main, ops',
  ],
  [
    { agent: "ops", match: { channel: "Ferry" } },
    'routes[0].match.channel: Not a name for a channel (got "Ferry"); write "ferry"',
  ],
  [
    { agent: "ops", match: { channel: "ferry", account: "dm" } },
    'routes[0].match.account: Not a name for an account (got "dm"); begin with a-z or 0-9, then up to 63 of a-z, 0-9, _ and -, and use no reserved word',
  ],
  [
    { agent: "ops", match: { channel: "ferry", peer: { kind: "dm", id: "@ada" } } },
    `routes[0].match.peer.id: A user name, not an id (got "@ada"); user names can change owners: write the platform's own id`,
  ],
])("refuses the route %j", (route, problem) => {
  expect(problemsOf({ agents, routes: [route] })).toEqual([problem]);
});
