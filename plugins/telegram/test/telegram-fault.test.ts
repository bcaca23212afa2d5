import { CHANNEL_ERROR_CLASSES, type ChannelErrorClass, parseAddress, TransportError } from "@banyan/plugin-sdk";
import fc from "fast-check";
import { GrammyError, HttpError } from "grammy/web";
import { describe, expect, it, test } from "vitest";
import { createFaultReport } from "../src/fault-report.ts";
import { classifyTelegramError } from "../src/telegram-fault.ts";

const CANARY = "7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s";

function refusal(code: number, description: string, parameters: object = {}): GrammyError {
  return new GrammyError("Call failed", { ok: false, error_code: code, description, parameters }, "sendMessage", {});
}

const ANSWERS: readonly (readonly [row: string, code: number, description: string, expected: ChannelErrorClass])[] = [
  ["T1", 400, "Bad Request: message is too long", "too_long"],
  ["T1", 400, "Bad Request: text is too long", "too_long"],
  ["T1", 400, "Bad Request: MESSAGE_TOO_LONG", "too_long"],
  ["T2", 400, "Bad Request: message text is empty", "permanent"],
  ["T3", 400, "Bad Request: message caption is too long", "too_long"],
  ["T4", 400, "Bad Request: can't parse entities: Character '.' is reserved and must be escaped", "bad_markup"],
  ["T4", 400, "Bad Request: can't parse MessageEntity: Unsupported type specified", "bad_markup"],
  ["T4", 400, "Bad Request: ENTITY_BOUNDS_INVALID", "bad_markup"],
  ["T46", 400, "Bad Request: file is too big", "permanent"],
  ["T47", 413, "Request Entity Too Large", "permanent"],
  [
    "T47",
    400,
    "Bad Request: file of size 11000000 bytes is too big for a photo; the maximum size is 10485760 bytes",
    "permanent",
  ],
  ["T48", 400, "Bad Request: wrong file_id or the file is temporarily unavailable", "permanent"],
  ["T5", 400, "Bad Request: BUTTON_DATA_INVALID", "permanent"],
  ["T6", 400, "Bad Request: reply markup is too long", "permanent"],
  [
    "T7",
    400,
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same",
    "permanent",
  ],
  ["T8", 400, "Bad Request: message to edit not found", "message_gone"],
  ["T8", 400, "Bad Request: message can't be edited", "message_gone"],
  ["T8", 400, "Bad Request: there is no text in the message to edit", "message_gone"],
  ["T8", 400, "Bad Request: there is no caption in the message to edit", "message_gone"],
  ["T8", 400, "Bad Request: MESSAGE_ID_INVALID", "message_gone"],
  ["T10", 400, "Bad Request: message can't be deleted", "permanent"],
  ["T10", 400, "Bad Request: message to delete not found", "permanent"],
  ["T45", 400, "Bad Request: TEXTDRAFT_PEER_INVALID", "permanent"],
  ["T50", 400, "Bad Request: query is too old and response timeout expired or query ID is invalid", "permanent"],
  ["T9", 400, "Bad Request: message to be replied not found", "permanent"],
  ["T11", 400, "Bad Request: chat not found", "chat_gone"],
  ["T12", 400, "Bad Request: group chat was upgraded to a supergroup chat", "chat_gone"],
  ["T13", 403, "Forbidden: bot was blocked by the user", "chat_gone"],
  ["T14", 403, "Forbidden: user is deactivated", "chat_gone"],
  ["T15", 403, "Forbidden: bot can't initiate conversation with a user", "chat_gone"],
  ["T16", 403, "Forbidden: bot was kicked from the supergroup chat", "chat_gone"],
  ["T16", 403, "Forbidden: bot is not a member of the channel chat", "chat_gone"],
  ["T16", 403, "Forbidden: the group chat was deleted", "chat_gone"],
  ["T17", 400, "Bad Request: not enough rights to send text messages to the chat", "chat_gone"],
  ["T16", 403, "Forbidden: bot was kicked from the group chat", "chat_gone"],
  ["T16", 400, "Bad Request: CHANNEL_PRIVATE", "chat_gone"],
  ["T17", 400, "Bad Request: need administrator rights in the channel chat", "chat_gone"],
  ["T17", 400, "Bad Request: have no rights to send a message", "chat_gone"],
  ["T17", 400, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN", "chat_gone"],
  ["T17", 400, "Bad Request: not enough rights to send documents to the chat", "chat_gone"],
  ["T17", 400, "Bad Request: CHAT_SEND_DOCS_FORBIDDEN", "chat_gone"],
  ["T17", 403, "Forbidden: CHAT_WRITE_FORBIDDEN", "chat_gone"],
  ["T17", 400, "Bad Request: CHAT_RESTRICTED", "chat_gone"],
  ["T18", 400, "Bad Request: message thread not found", "thread_gone"],
  ["T20", 400, "Bad Request: TOPIC_CLOSED", "thread_gone"],
  ["T21", 400, "Bad Request: TOPIC_DELETED", "thread_gone"],
  ["T21", 400, "Bad Request: TOPIC_ID_INVALID", "thread_gone"],
  ["T22", 400, "Bad Request: TOPIC_NOT_MODIFIED", "permanent"],
  ["T23", 400, "Bad Request: the chat is not a forum", "permanent"],
  ["T23", 400, "Bad Request: not enough rights to create a topic", "permanent"],
  ["T23", 400, "Bad Request: not enough rights to close or reopen the topic", "permanent"],
  ["T27", 429, "Too Many Requests: retry after 7", "rate_limited"],
  ["T29", 401, "Unauthorized: invalid token specified", "unauthorized"],
  ["T29", 401, "Unauthorized", "unauthorized"],
  ["T29", 404, "Not Found", "unauthorized"],
  ["404", 404, "Not Found: no such route /bot/getMe", "definite"],
  ["404", 404, "The requested URL was not found on this server", "definite"],
  ["T30", 400, "Logged out", "unauthorized"],
  ["T30", 400, "Bad Request: the bot has already been closed", "unauthorized"],
  ["T31", 421, "Misdirected Request: unallowed token specified", "unauthorized"],
  [
    "T32",
    409,
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    "definite",
  ],
  [
    "T33",
    409,
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    "definite",
  ],
  ["T34", 409, "Conflict: terminated by other setWebhook", "definite"],
  ["T41", 400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook", "permanent"],
  ["T41", 400, "Bad Request: secret token contains unallowed characters", "permanent"],
  ["T55", 500, "Internal Server Error: restart", "ambiguous"],
  ["T55", 502, "Bad Gateway", "ambiguous"],
  ["T55", 504, "Gateway Timeout", "ambiguous"],
  ["T57", 404, "Not Found: method not found", "permanent"],
  ["T59", 406, "Not Acceptable: FROZEN_METHOD_INVALID", "unauthorized"],
  ["T59", 400, "Bad Request: FROZEN_METHOD_INVALID", "unauthorized"],
  ["4xx", 400, "Bad Request: SOMETHING_NEW", "permanent"],
  ["4xx", 403, "Forbidden: bots can't send messages to bots", "permanent"],
];

describe("a refusal by Telegram", () => {
  it.each(ANSWERS)("%s: %i %s is %s", (row, code, description, expected) => {
    expect(classifyTelegramError(refusal(code, description))).toMatchObject({ row, class: expected });
  });

  test("T12: a group that became a supergroup names its new address", () => {
    const error = refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: -1009999999999,
    });
    const report = createFaultReport("default", CANARY)("Sending", error);
    expect(report.class).toBe("migrated");
    expect(report.migratedTo && parseAddress(report.migratedTo)).toEqual({
      channel: "telegram",
      account: "default",
      kind: "group",
      chat: "-1009999999999",
    });
  });

  test("T27: flood control waits as long as it asks", () => {
    expect(classifyTelegramError(refusal(429, "…", { retry_after: 7 })).retryAfterMs).toBe(7_000);
  });

  test("T28: a full queue waits its minute", () => {
    expect(classifyTelegramError(refusal(429, "…", { retry_after: 60 })).retryAfterMs).toBe(60_000);
  });

  it.each([undefined, null, -1, 0, "soon", Number.NaN])("T27: a wait of %s is taken for 5 s", (retry_after) => {
    expect(classifyTelegramError(refusal(429, "…", { retry_after })).retryAfterMs).toBe(5_000);
  });

  test("T27: a wait of years is taken for a day", () => {
    expect(classifyTelegramError(refusal(429, "…", { retry_after: 1e12 })).retryAfterMs).toBe(86_400_000);
  });

  test("a long hostile description is matched in linear time", () => {
    const description = `Bad Request: ${"can't parse ".repeat(1e5)}`;
    expect(classifyTelegramError(refusal(400, description)).what.length).toBeLessThan(500);
  });
});

describe("T56: a call without an answer", () => {
  const abort = new DOMException("This operation was aborted", "AbortError");
  it.each([
    ["never sent", new TransportError("connect ECONNREFUSED", { sent: false }), "definite"],
    ["reset after it was sent", new TransportError("socket hang up", { sent: true }), "ambiguous"],
    ["aborted", abort, "ambiguous"],
    ["timed out", new Error("Request to 'sendMessage' timed out after 500 seconds"), "ambiguous"],
    ["answered by an HTML page", new Error("the answer (status 502) is no JSON"), "ambiguous"],
  ])("%s is %s", (_, inner, expected) => {
    expect(classifyTelegramError(new HttpError("Network request failed!", inner)).class).toBe(expected);
    expect(classifyTelegramError(inner).class).toBe(expected);
  });
});

describe("any thrown value", () => {
  test("has a class", () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        for (const error of [thrown, new HttpError("failed", thrown)]) {
          expect(CHANNEL_ERROR_CLASSES).toHaveProperty(classifyTelegramError(error).class);
        }
      }),
    );
  });

  test("has a class also where the platform's answer is nonsense", () => {
    const answer = fc.record({
      code: fc.integer({ min: -1000, max: 1000 }),
      text: fc.string(),
      parameters: fc.object(),
    });
    fc.assert(
      fc.property(answer, ({ code, text, parameters }) => {
        const report = createFaultReport("default", CANARY)("Calling", refusal(code, text, parameters));
        expect(CHANNEL_ERROR_CLASSES).toHaveProperty(report.class);
        if (report.class === "rate_limited") expect(report.retryAfterMs).toBeGreaterThan(0);
      }),
    );
  });
});
