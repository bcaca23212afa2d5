import { expect, it } from "vitest";
import { problemsOf, readWritten } from "../written-config.ts";

function writeAccount(account: unknown): unknown {
  return { channels: { ferry: { accounts: { default: account } } } };
}

it("splits an account into the core's keys and the plugin's own", () => {
  const { config } = readWritten(
    writeAccount({ token: "t", pollSeconds: 3, enabled: false, allowFrom: [7, " 7 ", "8"] }),
  );
  expect(config.channels.ferry?.accounts.default).toEqual({
    enabled: false,
    dmPolicy: "pairing",
    allowFrom: ["7", "8"],
    groups: { policy: "allowlist", allow: [], guilds: [], requireMention: true },
    catchUpHours: 24,
    settings: { token: "t", pollSeconds: 3 },
  });
});

it.each([
  ["@ada", 'A user name, not an id (got "@ada")'],
  ["ada#1234", 'A user name, not an id (got "ada#1234")'],
  ["*", '* is not an id (got "*"); to allow everyone write dmPolicy: "open"'],
  ["https://t.me/ada", "A link, not an id"],
  ["1, 2", "More than one word"],
  ["1,2", "More than one id"],
  ["ada", `Not an id of this platform (got "ada")`],
  [2 ** 60, "A number too large to be exact (got a rounded number); write the id in quotes"],
  [true, "Must be a string or a number (got true)."],
])("refuses to let %j in", (id, said) => {
  const [problem, ...more] = problemsOf(writeAccount({ allowFrom: ["1", id] }));
  expect(problem).toContain(`channels.ferry.accounts.default.allowFrom[1]: ${said}`);
  expect(more).toEqual([]);
});

it("keeps what is said of groups, and of messages that come late", () => {
  const groups = { policy: "open", allow: [-100, " -100 ", "5"], guilds: [9, " 9 "], requireMention: false };
  expect(readWritten(writeAccount({ groups, catchUpHours: 0 })).config.channels.ferry?.accounts.default).toMatchObject({
    groups: { policy: "open", allow: ["-100", "5"], guilds: ["9"], requireMention: false },
    catchUpHours: 0,
  });
});

it.each([
  [{ allow: ["@grove"] }, 'groups.allow[0]: A user name, not an id (got "@grove")'],
  [{ allow: [-100, "grove"] }, 'groups.allow[1]: Not an id of this platform (got "grove")'],
  [{ allow: ["*"] }, 'groups.allow[0]: * is not an id (got "*"); to allow everyone write groups.policy: "open"'],
  [{ allow: ["https://t.me/grove"] }, "groups.allow[0]: A link, not an id"],
  [{ guilds: ["1", -9] }, "groups.guilds[1]: Not an id of this platform (got -9)"],
  [{ guilds: ["*"] }, 'groups.guilds[0]: * is not an id (got "*"); to allow everyone write groups.policy: "open"'],
  [{ policy: "pairing" }, "groups.policy: Must be allowlist, open or disabled"],
  [{ requireMention: "no" }, "groups.requireMention: Must be true or false"],
  [{ allowed: [] }, 'groups.allowed: Unknown key; did you mean "allow"?'],
])("refuses the groups %j", (groups, said) => {
  const problems = problemsOf(writeAccount({ groups }));
  expect(problems).toEqual([expect.stringContaining(`channels.ferry.accounts.default.${said}`)]);
});

it.each([[-1], [9_000], ["24"]])("refuses to catch up with %j hours", (catchUpHours) => {
  expect(problemsOf(writeAccount({ catchUpHours }))).toEqual([expect.stringContaining("default.catchUpHours: ")]);
});

it.each(["@ada:example.org", "U123", "ada"])("takes %j on a channel whose ids have a form we do not know", (id) => {
  const input = { channels: { matrix: { accounts: { default: { allowFrom: [id] } } } } };
  expect(readWritten(input).config.channels.matrix?.accounts.default?.allowFrom).toEqual([id]);
});

it.each([
  [{ Ferry: {} }, 'channels.Ferry: Not a name for a channel (got "Ferry"); write "ferry"'],
  [
    { ferry: { accounts: { "My Bot": {} } } },
    'channels.ferry.accounts["My Bot"]: Not a name for an account (got "My Bot"); write "my-bot"',
  ],
  [{ ferry: { account: {} } }, 'channels.ferry.account: Unknown key; did you mean "accounts"?'],
])("refuses the channels %j", (channels, problem) => {
  expect(problemsOf({ channels })).toEqual([problem]);
});

it.each([
  [{ Alice: ["ferry:1"] }, /^session\.identityLinks\.Alice: .+name.+ \(got "Alice"\); begin with/],
  [{ alice: ["1"] }, /^session\.identityLinks\.alice: .+ \(got .+\); write a list of "channel:id"/],
  [{ alice: ["ferry:1"], bob: ["ferry:1"] }, /^session\.identityLinks: .+ \(got .+\); link each id to one person/],
])("refuses the identity links %j", (identityLinks, problem) => {
  expect(problemsOf({ session: { identityLinks } })).toEqual([expect.stringMatching(problem)]);
});

it("keeps what becomes of a message that was cut off, and takes no other word for it", () => {
  const { config } = readWritten(writeAccount({ delivery: "at-most-once" }));
  expect(config.channels.ferry?.accounts.default).toMatchObject({ delivery: "at-most-once", settings: {} });
  const [problem] = problemsOf(writeAccount({ delivery: "twice" }));
  expect(problem).toContain("channels.ferry.accounts.default.delivery: ");
});
