import { expect, it } from "vitest";
import { parseConfig } from "../../../src/config/read-config.ts";
import { checkDmScope, type DmScopeSurroundings, refuseSharedDm } from "../../../src/config/shapes/dm-scope-check.ts";

const ONE = { allowFrom: ["1"] };
const TWO = { allowFrom: ["1", "2"] };
const OPEN = { dmPolicy: "open" };
const OFF = { dmPolicy: "disabled", allowFrom: ["1", "2"] };

/** How many problems a session section has beside these accounts; the web chat is always there. */
function countProblems(
  session: unknown,
  accounts: Readonly<Record<string, unknown>>,
  routes: unknown = [],
  around: DmScopeSurroundings = {},
): number {
  const channels = Object.entries(accounts).map(([id, account]) => [id, { accounts: { default: account } }]);
  const web = { accounts: { default: { dmPolicy: "open" } } };
  const input = { session, routes, channels: { web, ...Object.fromEntries(channels) } };
  return checkDmScope(parseConfig(input, { folder: "/srv/bot" }), { operatorOnly: ["web"], ...around }).length;
}

it.each([
  ["main", "one sender", { ferry: ONE }, 0],
  ["main", "nobody yet", { ferry: {} }, 0],
  ["main", "the operator alone", {}, 0],
  ["main", "two senders", { ferry: TWO }, 1],
  ["main", "the same id on two channels", { ferry: ONE, irc: ONE }, 1],
  ["main", "an open policy", { ferry: OPEN }, 1],
  ["main", "senders who may not write", { ferry: ONE, irc: OFF }, 0],
  ["main", "senders of an account that is off", { ferry: ONE, irc: { ...TWO, enabled: false } }, 0],
  ["per-peer", "one channel", { ferry: OPEN }, 0],
  ["per-peer", "two channels", { ferry: {}, irc: {} }, 1],
  ["per-peer", "two channels, one without DMs", { ferry: ONE, irc: OFF }, 0],
  ["per-channel-peer", "two open channels", { ferry: OPEN, irc: OPEN }, 0],
  ["per-account-channel-peer", "two open channels", { ferry: OPEN, irc: OPEN }, 0],
])("attack 7: finds under %s, with %s, %j: %i problems", (dmScope, _, accounts, count) => {
  expect(countProblems({ dmScope }, accounts)).toBe(count);
  expect(countProblems({ dmScope, acceptSharedDm: true }, accounts)).toBe(0);
});

it.each([
  ["one sender", { ferry: ONE }, 0],
  ["two senders", { ferry: TWO }, 1],
  ["an open policy", { ferry: OPEN }, 1],
])("asks of the global session what it asks of main: %s", (_, accounts, count) => {
  expect(countProblems({ scope: "global" }, accounts)).toBe(count);
  expect(countProblems({ scope: "global", acceptSharedDm: true }, accounts)).toBe(0);
});

it("counts a linked person once", () => {
  const identityLinks = { ada: ["ferry:1", "irc:ada"] };
  expect(countProblems({ dmScope: "main", identityLinks }, { ferry: ONE, irc: { allowFrom: ["ada"] } })).toBe(0);
});

const letIn = (channel: string, senderId: string) => ({ channel, account: "default", senderId });
const link = (channel: string, peer: string) => ({ channel, peer, person: "ada", linkedAtMs: 1 });
const LISTED = { dmPolicy: "allowlist", allowFrom: ["1"] };

it.each([
  ["main", "one who was let in", {}, [letIn("ferry", "1")], [], 0],
  ["main", "the one on the list let in once more", ONE, [letIn("ferry", "1")], [], 0],
  ["main", "one on the list and one who was let in", ONE, [letIn("ferry", "2")], [], 1],
  ["main", "two who were let in", {}, [letIn("ferry", "1"), letIn("ferry", "2")], [], 1],
  [
    "main",
    "two who were let in and are one person",
    {},
    [letIn("ferry", "1"), letIn("ferry", "2")],
    [link("ferry", "1"), link("ferry", "2")],
    0,
  ],
  ["main", "one who was let in while the list alone counts", LISTED, [letIn("ferry", "2")], [], 0],
  ["main", "one who was let in elsewhere", ONE, [letIn("gull", "2")], [], 0],
  ["per-channel-peer", "two who were let in", {}, [letIn("ferry", "1"), letIn("ferry", "2")], [], 0],
])("finds under %s, with %s: %#", (dmScope, _, ferry, approved, links, count) => {
  expect(countProblems({ dmScope }, { ferry }, [], { routes: { approved, links } })).toBe(count);
  expect(countProblems({ dmScope, acceptSharedDm: true }, { ferry }, [], { routes: { approved, links } })).toBe(0);
});

const toMain = (match: unknown) => [{ agent: "main", match, session: { dmScope: "main" } }];

it.each([
  ["all senders of a channel", toMain({ channel: "ferry" }), { ferry: TWO }, 1],
  ["all senders of an open account", toMain({ channel: "ferry", account: "default" }), { ferry: OPEN }, 1],
  ["one of them", toMain({ channel: "ferry", peer: { kind: "dm", id: "1" } }), { ferry: TWO }, 0],
  ["one of anybody", toMain({ channel: "ferry", peer: { kind: "dm", id: "1" } }), { ferry: OPEN }, 0],
  ["a group", toMain({ channel: "ferry", peer: { kind: "group", id: "1" } }), { ferry: TWO }, 0],
  ["another account", toMain({ channel: "ferry", account: "work" }), { ferry: TWO }, 0],
])("judges a route that gives main to %s", (_, routes, accounts, count) => {
  expect(countProblems({}, accounts, routes)).toBe(count);
});

it("lets nothing of the other channels meet when a route sets them apart", () => {
  const routes = [{ agent: "main", match: { channel: "irc" }, session: { dmScope: "per-channel-peer" } }];
  expect(countProblems({ dmScope: "per-peer" }, { ferry: OPEN, irc: OPEN }, routes)).toBe(0);
});

it("refuses to start with its own code and a cure", () => {
  const input = { session: { dmScope: "main" }, channels: { ferry: { accounts: { default: TWO } } } };
  const config = parseConfig(input, { folder: "/srv/bot" });
  expect(() => refuseSharedDm(config)).toThrow(
    expect.objectContaining({
      code: "shared_dm_refused",
      message: expect.stringContaining("2 allowed senders); use dmScope per-channel-peer"),
    }),
  );
});
