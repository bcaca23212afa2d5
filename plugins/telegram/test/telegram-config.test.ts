import { describe, expect, it, test } from "vitest";
import { telegramConfig } from "../src/telegram-config.ts";

const token = "123456:ABC-DEF_ghi";

describe("the settings of an account", () => {
  test("need no more than a token", () => {
    expect(telegramConfig.parse({ token })).toEqual({ token, apiBaseUrl: "https://api.telegram.org" });
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
