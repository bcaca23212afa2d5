import type { WebhookInfo } from "grammy/types";
import { expect, test } from "vitest";
import { decideWebhook } from "../../src/webhook/decide-webhook.ts";

const URL_OF_IT = "https://grove.example.org/telegram/default/webhook";

test("a server that does not know a kind of update is told once, and what it says of trouble is heard then", () => {
  const failedAt = 1_000;
  const info: WebhookInfo = {
    url: URL_OF_IT,
    has_custom_certificate: false,
    pending_update_count: 3,
    max_connections: 40,
    allowed_updates: ["message"],
    last_error_date: failedAt,
    last_error_message: "Connection timed out",
  };
  const situation = {
    info,
    url: URL_OF_IT,
    allowedUpdates: ["message", "stopped_message_generation"],
    isSecretKnown: true,
    policy: "delete",
    wasSet: true,
    wasRestored: false,
    takenAt: 0,
  } as const;
  expect(decideWebhook({ ...situation, wasUpdated: false })).toEqual({ kind: "set", why: "outdated" });
  expect(decideWebhook({ ...situation, wasUpdated: true })).toMatchObject({ kind: "failing" });
});
