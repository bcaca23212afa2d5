import { expect, it } from "vitest";
import { parseConfig } from "../../../src/config/read-config.ts";
import { listPublicAgents } from "../../../src/config/shapes/public-agents.ts";

const OPEN = { dmPolicy: "open" };
const HALL = { groups: { allow: ["-1"] } };
const AGENTS = { main: { default: true }, ops: {}, scout: {} };

const route = (agent: string, match: object = {}) => ({ agent, match: { channel: "ferry", ...match } });

it.each([
  ["nobody yet", {}, [], []],
  ["people who were let in", { allowFrom: ["1"] }, [], []],
  ["an open policy", OPEN, [], ["main"]],
  ["an open policy of an account that is off", { ...OPEN, enabled: false }, [], []],
  ["a group", HALL, [], ["main"]],
  ["a server", { groups: { guilds: ["9"] } }, [], ["main"]],
  ["any group", { groups: { policy: "open" } }, [], ["main"]],
  ["groups that are off", { groups: { policy: "disabled", allow: ["-1"] } }, [], []],
  ["a group that a route takes", HALL, [route("ops")], ["ops"]],
  ["a group, one of which a route takes", HALL, [route("ops", { peer: { kind: "group", id: "-1" } })], ["main", "ops"]],
  ["a server that a route takes", { groups: { guilds: ["9"] } }, [route("ops", { guild: "9" })], ["main", "ops"]],
  ["a group, with a route for one person", HALL, [route("ops", { peer: { kind: "dm", id: "1" } })], ["main"]],
  [
    "an open policy, with a route for one person",
    OPEN,
    [route("ops", { peer: { kind: "dm", id: "1" } })],
    ["main", "ops"],
  ],
  ["a group, with a route of another account", HALL, [route("ops", { account: "second" })], ["main"]],
])("with %s these are agents that anybody reaches", (_what, account, routes, expected) => {
  const web = { accounts: { default: OPEN } };
  const channels = { web, ferry: { accounts: { default: account } } };
  const config = parseConfig({ agents: AGENTS, routes, channels }, { folder: "/srv/bot" });
  const found = listPublicAgents(config, { operatorOnly: ["web"] });
  expect([...found.keys()].toSorted()).toEqual(expected);
  expect([...found.values()].every((place) => place === "ferry/default")).toBe(true);
});

it.each([
  [["scout"], ["main", "scout"]],
  [["*"], ["main", "ops", "scout"]],
])("what such an agent may spawn, %j, is reached as well", (allowAgents, expected) => {
  const agents = { ...AGENTS, main: { default: true, subagents: { allowAgents } } };
  const channels = { ferry: { accounts: { default: HALL } } };
  const config = parseConfig({ agents, channels }, { folder: "/srv/bot" });
  expect([...listPublicAgents(config, { operatorOnly: [] }).keys()].toSorted()).toEqual(expected);
});
