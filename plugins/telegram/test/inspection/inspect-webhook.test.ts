import { expect, it } from "vitest";
import { inspectWebhook } from "../../src/inspection/inspect-webhook.ts";
import { telegramConfig } from "../../src/telegram-config.ts";

const SETTINGS = { token: "123456:ABC-DEF_ghi", updates: "webhook", webhookUrl: "https://grove.example.org" } as const;
const URL_HERE = "https://grove.example.org/telegram/default/webhook";
const NOTE = { level: "note", text: "webhook: Telegram posts its messages to grove.example.org" };

function inspect(info: object, settings: object = {}) {
  const whole = { url: "", has_custom_certificate: false, pending_update_count: 0, ...info };
  return inspectWebhook(whole, telegramConfig.parse({ ...SETTINGS, ...settings }), "default");
}

it("says where messages come, before the first start too", () => {
  expect(inspect({ url: URL_HERE })).toEqual([NOTE]);
  expect(inspect({})).toEqual([{ ...NOTE, text: `${NOTE.text} once the gateway has started` }]);
});

it("says what Telegram could not deliver, with its words, as long as something waits", () => {
  const trouble = { last_error_date: 1_770_000_000, last_error_message: "Connection timed out" };
  expect(inspect({ url: URL_HERE, ...trouble })).toEqual([NOTE]);
  expect(inspect({ url: URL_HERE, ...trouble, pending_update_count: 2 })).toEqual([
    NOTE,
    {
      level: "warning",
      text: "Telegram could not deliver 2 updates, last at 2026-02-02 02:40 UTC: Connection timed out",
      cure: expect.stringContaining(URL_HERE),
    },
  ]);
});

it.each([
  ["delete", "the gateway replaces it when it starts; stop the other program"],
  ["refuse", 'stop the other program, or set channels.telegram.accounts.default.webhook to "delete"'],
])("T33: another program's webhook stands in the way, with what helps under webhook: %s", (webhook, cure) => {
  const text = "another webhook is set (other.example.org), so its messages do not come here";
  expect(inspect({ url: "https://other.example.org/x" }, { webhook })).toEqual([{ level: "warning", text, cure }]);
});

it("says nothing where the account polls and none is set", () => {
  expect(inspect({}, { updates: "polling" })).toEqual([]);
});
