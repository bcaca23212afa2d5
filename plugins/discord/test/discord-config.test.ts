import { expect, test } from "vitest";
import { discordConfig, isPlatform, resolveArchiveMinutes } from "../src/discord-config.ts";

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

test("the address of the API stands without a version and without a slash", () => {
  const parse = (apiBaseUrl: string) => discordConfig.safeParse({ token, apiBaseUrl });
  expect(parse("http://127.0.0.1:8080/api/").data?.apiBaseUrl).toBe("http://127.0.0.1:8080/api");
  expect(parse("https://discord.com/api/v10").error?.issues[0]?.message).toMatch(/end the address with \/api/);
  expect(parse("ftp://discord.com/api").success).toBe(false);
});

test("Discord's own pace is kept on its own servers alone", () => {
  expect(isPlatform({ apiBaseUrl: "https://discord.com/api" })).toBe(true);
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
