import { inspect } from "node:util";
import type { ChannelPlugin } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { z } from "zod";
import { parseAccountConfig } from "../../../src/config/shapes/account-config.ts";
import { FERRY, readWritten, splitProblems } from "../written-config.ts";

type Schema<Own> = ChannelPlugin<Own>["config"];

const STRICT = z.strictObject({
  token: z.string(),
  poll: z.strictObject({ seconds: z.number().default(5) }).prefault({}),
});
const STRIPPING = z.object({ token: z.string(), poll: z.object({ seconds: z.number() }).optional() });
const RENAMING = z.object({ token: z.string() }).transform(({ token }) => ({ secret: token }));

/** A schema of a library that tells nothing but the standard, and repeats what it received. */
const TALKATIVE: Schema<{ token: string }> = {
  "~standard": {
    version: 1,
    vendor: "talkative",
    validate: async (value) => {
      const token = value instanceof Object && "token" in value ? value.token : undefined;
      if (typeof token === "string" && token.length < 10) return { value: { token } };
      return { issues: [{ message: `expected a short token, received ${token}`, path: [{ key: "token" }] }] };
    },
  },
};

function parse<Own>(config: Schema<Own>, settings: Readonly<Record<string, unknown>>): Promise<Own> {
  const account = readWritten({ channels: { ferry: { accounts: { work: settings } } } }).config.channels.ferry?.accounts
    .work;
  if (account === undefined) throw new Error("the account is written above");
  return parseAccountConfig({ config }, account, { channel: "ferry", account: "work", manifest: FERRY });
}

async function problemsOf<Own>(
  config: Schema<Own>,
  settings: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  return parse(config, settings).then(() => [], splitProblems);
}

const PATH = "channels.ferry.accounts.work";

it("gives what the plugin's schema makes of its own keys", async () => {
  expect(await parse(STRICT, { token: "t", enabled: true, allowFrom: ["1"] })).toEqual({
    token: "t",
    poll: { seconds: 5 },
  });
  expect(await parse(RENAMING, { token: "t" })).toEqual({ secret: "t" });
  expect(await parse(TALKATIVE, { token: "t" })).toEqual({ token: "t" });
});

it.each<[string, Schema<unknown>]>([
  ["a strict schema", STRICT],
  ["a schema that strips", STRIPPING],
])("finds unknown keys with %s", async (_, schema) => {
  expect(await problemsOf(schema, { token: "t", dmPolcy: "open", tokn: "u" })).toEqual([
    `${PATH}.dmPolcy: Unknown key; did you mean "dmPolicy"?`,
    `${PATH}.tokn: Unknown key; did you mean "token"?`,
  ]);
});

it("finds an unknown key deep in what a schema strips", async () => {
  expect(await problemsOf(STRIPPING, { token: "t", poll: { seconds: 1, secnods: 2 } })).toEqual([
    `${PATH}.poll.secnods: Unknown key; did you mean "seconds"?`,
  ]);
});

it("finds a key that a schema of another library drops", async () => {
  expect(await problemsOf(TALKATIVE, { token: "t", allowForm: ["1"] })).toEqual([
    `${PATH}.allowForm: Unknown key; did you mean "allowFrom"?`,
  ]);
});

it("tells all problems at once, and which variable gives what is missing", async () => {
  expect(await problemsOf(STRICT, { tokn: "t", poll: { seconds: "x" } })).toEqual([
    `${PATH}.tokn: Unknown key; did you mean "token"?`,
    `${PATH}.token: Missing; write it, or set FERRY_TOKEN`,
    expect.stringMatching(/poll\.seconds: .+ \(got a string of 1 characters\); write what the plugin asks for$/),
  ]);
});

it.each<[string, Schema<unknown>]>([
  ["a strict schema", STRICT],
  ["a talkative one", TALKATIVE],
])("never prints a token with %s", async (_, schema) => {
  const failure = await parse(schema, { token: "much-too-long-a-token", poll: 1, other: "hunter22" }).catch(inspect);
  expect(failure).toContain("config_invalid");
  expect(failure).not.toMatch(/much-too-long|hunter22/);
});
