import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../src/config/read-config.ts";
import { listSharedReaders, refuseFormerWriters } from "../../../src/config/shapes/shared-readers.ts";
import { writeIn } from "../../control/written-session.ts";
import { openTestStore } from "../../open-test-store.ts";

const ONE = { allowFrom: ["1"] };
const MAIN = "agent:main:main";

function parse(session: unknown, ferry: object, more: object = {}) {
  const channels = { web: { accounts: { default: { dmPolicy: "open" } } }, ferry: { accounts: { default: ferry } } };
  return parseConfig({ session, channels, ...more }, { folder: "/srv/bot" });
}

const around = { operatorOnly: ["web"] };
const letIn = (senderId: string) => ({ channel: "ferry", account: "default", senderId });

describe("listSharedReaders", () => {
  it.each([
    ["main", { dmScope: "main" }, ONE, [MAIN]],
    ["global", { scope: "global" }, ONE, ["global"]],
    ["per-channel-peer", {}, ONE, []],
    ["main with nobody let in", { dmScope: "main" }, {}, []],
    ["main with DMs off", { dmScope: "main" }, { dmPolicy: "disabled", allowFrom: ["1"] }, []],
  ])("names the sessions of %s", (_what, session, ferry, keys) => {
    expect(
      listSharedReaders(parse(session, ferry), around)
        .filter(({ isOperators }) => !isOperators)
        .map(({ key }) => key),
    ).toEqual(keys);
  });

  it("follows the routes to the agent whose main session a sender has", () => {
    const routes = [{ agent: "coding", match: { channel: "ferry" }, session: { dmScope: "main" } }];
    const config = parse({}, ONE, { routes, agents: { main: { default: true }, coding: {} } });
    expect(listSharedReaders(config, around).map(({ key }) => key)).toEqual(["agent:coding:main"]);
  });

  it.each([
    ["the one who is let in", {}, ONE, "ferry", "1", true],
    ["his linked account", { identityLinks: { ada: ["ferry:1", "irc:ada"] } }, ONE, "irc", "ada", true],
    ["the operator", {}, ONE, "web", "operator", true],
    ["somebody who is not in", {}, ONE, "ferry", "2", false],
    ["the same id elsewhere", {}, ONE, "irc", "1", false],
    ["one of two", { acceptSharedDm: true }, { allowFrom: ["1", "2"] }, "ferry", "1", false],
    ["anybody", { acceptSharedDm: true }, { dmPolicy: "open" }, "ferry", "1", false],
  ])("tells whether it is the reader's own: %s", (_who, session, ferry, channel, peer, isOwn) => {
    const [readers] = listSharedReaders(parse({ dmScope: "main", ...session }, ferry), around);
    expect(readers?.isOwn({ channel, peer })).toBe(isOwn);
  });
});

it("the operator reads his own channel's writing in main, also where nobody else is let in, and no other", () => {
  const readers = listSharedReaders(parse({ dmScope: "main" }, { dmPolicy: "disabled" }), around);
  expect(readers).toMatchObject([{ key: "agent:main:main", isOperators: true, isShared: false, name: "the operator" }]);
  const isOwn = (channel: string) => readers[0]?.isOwn({ channel, peer: "operator" });
  expect([isOwn(around.operatorOnly[0] ?? ""), isOwn("ferry")]).toEqual([true, false]);
});

describe("refuseFormerWriters", () => {
  const GROUPS = { groups: { policy: "open" } };
  const SERVER = { groups: { guilds: ["900"] } };

  it.each([
    ["his own", { dmScope: "main" }, ONE, MAIN, ["ferry:1", "web:operator"], false],
    ["another's", { dmScope: "main" }, ONE, MAIN, ["ferry:1", "ferry:2"], true],
    ["another's in the global session", { scope: "global" }, ONE, "global", ["ferry:2"], true],
    ["another's where groups write too", { scope: "global" }, { ...ONE, ...GROUPS }, "global", ["ferry:2"], false],
    ["another's where a server does", { scope: "global" }, { ...ONE, ...SERVER }, "global", ["ferry:2"], false],
    ["another's in main, where groups do not", { dmScope: "main" }, { ...ONE, ...GROUPS }, MAIN, ["ferry:2"], true],
    ["another's whom he may read", { dmScope: "main", acceptSharedDm: true }, ONE, MAIN, ["ferry:2"], false],
    ["another's in a session that nobody reads", {}, ONE, MAIN, ["ferry:2"], false],
  ] as const)("looks at %s", async (_what, session, ferry, key, writers, isRefused) => {
    const store = openTestStore();
    await writeIn(store, key, ...writers);
    const judged = refuseFormerWriters(store.read, parse(session, ferry), around);
    if (isRefused) await expect(judged).rejects.toMatchObject({ code: "foreign_writers" });
    else await judged;
  });

  it("judges by who was let in, and names a key that is free", async () => {
    const store = openTestStore();
    await writeIn(store, MAIN, "ferry:13");
    await writeIn(store, "agent:main:dm:main-before", "ferry:12");
    const config = parse({ dmScope: "main" }, {});
    await refuseFormerWriters(store.read, config, { ...around, routes: { approved: [letIn("13")], links: [] } });
    await refuseFormerWriters(store.read, config, around);
    await expect(
      refuseFormerWriters(store.read, config, { ...around, routes: { approved: [letIn("14")], links: [] } }),
    ).rejects.toThrow(
      /agent:main:main holds writing of ferry:13, and ferry:14 would read it.*banyan sessions rekey agent:main:main agent:main:dm:main-before-2;/,
    );
  });
});
