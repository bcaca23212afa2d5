import { describe, expect, it, test } from "vitest";
import { isPaced, telegramConfig } from "../src/telegram-config.ts";

const token = "123456:ABC-DEF_ghi";

describe("the settings of an account", () => {
  test("need no more than a token", () => {
    expect(telegramConfig.parse({ token })).toEqual({
      token,
      apiBaseUrl: "https://api.telegram.org",
      webhook: "delete",
      pace: "auto",
      growingAnswers: "auto",
    });
  });

  it.each(["http://127.0.0.1:8081", "http://127.0.0.1:8081/", "http://127.0.0.1:8081//"])(
    "take the server %s",
    (url) => {
      expect(telegramConfig.parse({ token, apiBaseUrl: url }).apiBaseUrl).toBe("http://127.0.0.1:8081");
    },
  );

  it.each([
    {},
    { token: "" },
    { token: "123456" },
    { token: `${token}/../x` },
    { token, apiBaseUrl: "ftp://x" },
    { token, apiBaseUrl: "api.telegram.org" },
    { token, webhook: "keep" },
    { token, pace: 30 },
    { token, typo: 1 },
  ])("refuse %j", (settings) => {
    expect(telegramConfig.safeParse(settings).success).toBe(false);
  });

  test("are refused without repeating the token", () => {
    const result = telegramConfig.safeParse({ token: "123456:secret with spaces" });
    expect(String(result.error)).not.toContain("secret");
    expect(String(result.error)).toContain("@BotFather");
  });
});

describe("Telegram's own pace", () => {
  it.each([
    ["https://api.telegram.org", "auto", true],
    ["https://api.telegram.org:443/x", "auto", true],
    ["https://api.telegram.org", "off", false],
    ["http://127.0.0.1:8081", "auto", false],
    ["https://api.telegram.org.example.com", "auto", false],
  ] as const)("of %s with pace %s: %s", (apiBaseUrl, pace, expected) => {
    expect(isPaced({ apiBaseUrl, pace })).toBe(expected);
  });
});
