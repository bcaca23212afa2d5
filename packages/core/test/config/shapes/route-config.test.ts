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

it.each([
  [
    { agent: "osp", match: { channel: "ferry" } },
    'routes[0].agent: no such agent, received "osp"; did you mean "ops"?',
  ],
  [
    { agent: "defaults", match: { channel: "ferry" } },
    'routes[0].agent: no such agent, received "defaults"; use one of main, ops',
  ],
  [
    { agent: "ops", match: { channel: "Ferry" } },
    'routes[0].match.channel: not a name for a channel, received "Ferry"; write "ferry"',
  ],
  [
    { agent: "ops", match: { channel: "ferry", account: "dm" } },
    'routes[0].match.account: not a name for an account, received "dm"; begin with a-z or 0-9, then up to 63 of a-z, 0-9, _ and -, and use no reserved word',
  ],
  [
    { agent: "ops", match: { channel: "ferry", peer: { kind: "dm", id: "@ada" } } },
    `routes[0].match.peer.id: a user name, not an id, received "@ada"; user names can be given up and taken by somebody else: write the platform's own id`,
  ],
])("refuses the route %j", (route, problem) => {
  expect(problemsOf({ agents, routes: [route] })).toEqual([problem]);
});
