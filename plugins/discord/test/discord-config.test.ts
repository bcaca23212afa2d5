import { expect, test } from "vitest";
import { discordConfig, formatPageUrl, isPlatform, resolveArchiveMinutes } from "../src/discord-config.ts";

const token = "MTAwMDAwMDAwMDAwMDAwMDAx.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB";

test("a token is enough", () => {
  expect(discordConfig.parse({ token: ` ${token} ` })).toEqual({
    token,
    apiBaseUrl: "https://discord.com/api",
    threadType: "public",
    threadArchiveMinutes: 10_080,
    completions: "card",
    interactions: "gateway",
  });
});

test.each(["", "abc", "Bot abc.def.ghi", "abc.def"])("%j is no token", (wrong) => {
  expect(discordConfig.safeParse({ token: wrong }).error?.issues[0]?.message).toMatch(/Developer Portal/);
});

const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJpZCI6IjcwMDAwMDAwMDAwMDAwMDAwMSIsImlhdCI6MTc1MDAwMDAwMH0.${"s".repeat(300)}`;

test.each([JWT, "abc", "abc.def", "a+b/c==:d"])("a server of others has tokens of its own, such as %s", (foreign) => {
  const parse = (apiBaseUrl: string) => discordConfig.safeParse({ token: ` ${foreign} `, apiBaseUrl });
  expect(parse("https://chat.example.org/api").data?.token).toBe(foreign);
  expect(parse("http://127.0.0.1:3001/api/").data?.token).toBe(foreign);
  for (const own of ["https://discord.com/api", "https://canary.discord.com/api"]) {
    const issues = parse(own).error?.issues;
    expect(issues).toMatchObject([{ path: ["token"], message: expect.stringMatching(/Developer Portal/) }]);
  }
});

test.each(["", "abc def", "abc\r\nx-other: 1", "ä", "x".repeat(4_097)])("%j can be no token anywhere", (wrong) => {
  const { error } = discordConfig.safeParse({ token: wrong, apiBaseUrl: "https://chat.example.org/api" });
  expect(error?.issues).toMatchObject([{ path: ["token"], message: expect.stringMatching(/without spaces/) }]);
});

test.each([
  ["https://discord.com/api", "https://discord.com/channels/1/2"],
  ["https://canary.discord.com/api", "https://canary.discord.com/channels/1/2"],
  ["http://127.0.0.1:3001/api", "http://127.0.0.1:3001/channels/1/2"],
  ["https://example.org/chat/api", "https://example.org/chat/channels/1/2"],
  ["https://example.org/v", "https://example.org/v/channels/1/2"],
])("people's pages of %s are beside its API: %s", (apiBaseUrl, page) => {
  expect(formatPageUrl({ apiBaseUrl }, "/channels/1/2")).toBe(page);
});

test("the address of the API stands without a version and without a slash", () => {
  const parse = (apiBaseUrl: string) => discordConfig.safeParse({ token, apiBaseUrl });
  expect(parse("http://127.0.0.1:8080/api/").data?.apiBaseUrl).toBe("http://127.0.0.1:8080/api");
  expect(parse("https://discord.com/api/v10").error?.issues[0]?.message).toMatch(/end the address with \/api/);
  expect(parse("ftp://discord.com/api").success).toBe(false);
});

test("Discord's own pace is kept on its own servers alone", () => {
  expect(isPlatform({ apiBaseUrl: "https://discord.com/api" })).toBe(true);
  expect(isPlatform({ apiBaseUrl: "https://canary.discord.com/api" })).toBe(true);
  expect(isPlatform({ apiBaseUrl: "https://notdiscord.com/api" })).toBe(false);
  expect(isPlatform({ apiBaseUrl: "http://127.0.0.1:8080/api" })).toBe(false);
});

test.each([
  [1, 60],
  [60, 60],
  [61, 1_440],
  [1_441, 4_320],
  [10_000, 10_080],
])("D7: %i quiet minutes become %i", (minutes, taken) => {
  expect(resolveArchiveMinutes(minutes)).toBe(taken);
});
