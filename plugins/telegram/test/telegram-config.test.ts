import { describe, expect, it, test } from "vitest";
import { isPaced, telegramConfig } from "../src/telegram-config.ts";

const token = "123456:ABC-DEF_ghi";

describe("the settings of an account", () => {
  test("need no more than a token", () => {
    expect(telegramConfig.parse({ token })).toEqual({
      token,
      apiBaseUrl: "https://api.telegram.org",
      updates: "polling",
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

describe("a webhook", () => {
  const webhookUrl = "https://grove.example.org";

  it.each([
    [{ webhookUrl }, webhookUrl],
    [{ webhookUrl: `${webhookUrl}/banyan/` }, `${webhookUrl}/banyan`],
    [{ webhookUrl: `${webhookUrl}:8443`, webhookSecret: "a-B_9" }, `${webhookUrl}:8443`],
    [{ webhookUrl: "http://10.0.0.7:8787", apiBaseUrl: "http://127.0.0.1:8081" }, "http://10.0.0.7:8787"],
  ])("is set by %j", (settings, url) => {
    expect(telegramConfig.parse({ token, updates: "webhook", ...settings }).webhookUrl).toBe(url);
  });

  it.each([
    [{}, "needs the public address"],
    [{ webhookUrl: "grove.example.org" }, "looks like https://grove.example.org"],
    [{ webhookUrl: "https://me:pass@grove.example.org" }, "an address alone"],
    [{ webhookUrl: `${webhookUrl}?x=1` }, "an address alone"],
    [{ webhookUrl: "http://grove.example.org" }, "https alone"],
    [{ webhookUrl: `${webhookUrl}:8787` }, "443, 80, 88 and 8443"],
    [{ webhookUrl, webhookSecret: "" }, "1 to 256"],
    [{ webhookUrl, webhookSecret: "two words" }, "1 to 256"],
    [{ webhookUrl, webhookSecret: "a".repeat(257) }, "1 to 256"],
  ])("attack 10: %j is refused at load (T41)", (settings, reason) => {
    const result = telegramConfig.safeParse({ token, updates: "webhook", ...settings });
    expect(String(result.error)).toContain(reason);
    expect(String(result.error)).not.toContain("two words");
  });

  test("keeps its settings while the account polls", () => {
    expect(telegramConfig.parse({ token, webhookUrl }).updates).toBe("polling");
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
