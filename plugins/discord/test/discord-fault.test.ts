import { CHANNEL_ERROR_CLASSES, type ChannelErrorClass, TransportError } from "@banyan/plugin-sdk";
import { DiscordAPIError, type DiscordErrorData, HTTPError, RateLimitError } from "discord.js";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { classifyDiscordError } from "../src/discord-fault.ts";

const URL = "https://discord.com/api/v10/channels/1100000000000000001/messages";

/** As discord.js' REST manager throws it; a string is a body that was no JSON. */
function refusal(status: number, body: object | string): DiscordAPIError {
  const raw: DiscordErrorData = JSON.parse(JSON.stringify(typeof body === "string" ? new ArrayBuffer(9) : body));
  const code = "code" in raw ? raw.code : 0;
  return new DiscordAPIError(raw, code, status, "POST", URL, { files: undefined, body: { content: "private" } });
}

function limit(part: Partial<RateLimitError>): RateLimitError {
  return new RateLimitError({
    timeToReset: 50,
    limit: 5,
    method: "POST",
    hash: "abcd",
    url: URL,
    route: "/channels/:id/messages",
    majorParameter: "1100000000000000001",
    global: false,
    retryAfter: 64_570,
    sublimitTimeout: 0,
    scope: "user",
    ...part,
  });
}

const CODES: readonly (readonly [
  row: string,
  status: number,
  code: number,
  message: string,
  expected: ChannelErrorClass,
])[] = [
  ["D2", 400, 50006, "Cannot send an empty message", "permanent"],
  ["D4", 400, 30015, "Maximum number of attachments in a message reached (10)", "permanent"],
  ["D4", 413, 40005, "Request entity too large", "permanent"],
  ["D4", 400, 50045, "File uploaded exceeds the maximum size", "permanent"],
  ["D9", 429, 0, "You are being rate limited.", "rate_limited"],
  ["D9", 429, 40062, "Service resource is being rate limited", "rate_limited"],
  ["D13", 403, 40333, "Cloudflare is blocking your request", "rate_limited"],
  ["D15", 401, 0, "401: Unauthorized", "unauthorized"],
  ["D15", 401, 40001, "Unauthorized", "unauthorized"],
  ["D15", 403, 50014, "Invalid authentication token provided", "unauthorized"],
  ["D16", 403, 50001, "Missing access", "chat_gone"],
  ["D17", 403, 50013, "You lack permissions to perform that action", "permanent"],
  ["D18", 404, 10003, "Unknown channel", "chat_gone"],
  ["D19", 404, 10008, "Unknown message", "permanent"],
  ["D20", 404, 10004, "Unknown guild", "chat_gone"],
  ["D20", 403, 40007, "The user is banned from this guild", "chat_gone"],
  ["D22", 400, 50083, "Tried to perform an operation on an archived thread", "permanent"],
  ["D23", 400, 160005, "Thread is locked", "permanent"],
  ["D24", 400, 160004, "A thread has already been created for this message", "permanent"],
  ["D25", 400, 160006, "Maximum number of active threads reached", "permanent"],
  ["D25", 400, 160007, "Maximum number of active announcement threads reached", "permanent"],
  ["D26", 400, 30033, "Maximum number of thread participants has been reached (1000)", "permanent"],
  ["D27", 400, 160002, "Cannot reply without permission to read message history", "permanent"],
  ["D28", 400, 40058, "Cannot send a message in a forum channel", "permanent"],
  ["D28", 400, 40067, "A tag is required to create a forum post in this channel", "permanent"],
  ["D29", 400, 20016, "This action cannot be performed due to slowmode rate limit", "rate_limited"],
  ["D29", 400, 20028, "The write action on the channel has hit the write rate limit", "rate_limited"],
  ["D29", 400, 20029, "The write action on the server has hit the write rate limit", "rate_limited"],
  ["D30", 429, 30046, "Maximum number of edits to messages older than 1 hour reached", "permanent"],
  ["D31", 403, 50005, "Cannot edit a message authored by another user", "permanent"],
  ["D31", 403, 50021, "Cannot execute action on a system message", "permanent"],
  ["D32", 400, 200000, "Message was blocked by automatic moderation", "permanent"],
  ["D32", 400, 200001, "Title was blocked by automatic moderation", "permanent"],
  ["D33", 403, 50007, "Cannot send messages to this user", "chat_gone"],
  ["D34", 429, 40003, "You are opening direct messages too fast", "rate_limited"],
  ["D35", 403, 130000, "API resource is currently overloaded", "definite"],
  ["D36", 400, 50109, "The request body contains invalid JSON.", "permanent"],
  ["D37", 404, 10062, "Unknown interaction", "permanent"],
  ["D38", 400, 40060, "Interaction has already been acknowledged", "permanent"],
  ["D39", 400, 40094, "This interaction has hit the maximum number of follow up messages", "permanent"],
  ["D40", 404, 10015, "Unknown webhook", "permanent"],
  ["D40", 401, 50027, "Invalid webhook token provided", "permanent"],
  ["D40", 400, 30007, "Maximum number of webhooks reached (15)", "permanent"],
  ["50008", 400, 50008, "Cannot send messages in a non-text channel", "permanent"],
  ["4xx", 400, 987_654, "Something new", "permanent"],
  ["4xx", 404, 0, "404: Not Found", "permanent"],
];

const FIELDS: readonly (readonly [row: string, errors: object, expected: ChannelErrorClass])[] = [
  ["D1", field("content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length."), "too_long"],
  ["D1", { message: field("content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.") }, "too_long"],
  ["D3", { embeds: { "0": field("description", "BASE_TYPE_MAX_LENGTH", "Must be 4096 or fewer.") } }, "permanent"],
  ["D6", field("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."), "permanent"],
  ["D7", field("auto_archive_duration", "BASE_TYPE_CHOICES", "Value must be one of …"), "permanent"],
  ["D8", field("username", "USERNAME_INVALID_CONTAINS", "Username cannot contain “discord”"), "permanent"],
  ["D19", field("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message"), "permanent"],
  ["D36", field("nonce", "NONCE_TYPE_INVALID", "…"), "permanent"],
];

function field(name: string, code: string, message: string): object {
  return { [name]: { _errors: [{ code, message }] } };
}

describe("a refusal by Discord", () => {
  it.each(CODES)("%s: status %i, code %i %s is %s", (row, status, code, message, expected) => {
    expect(classifyDiscordError(refusal(status, { code, message }))).toMatchObject({ row, class: expected });
  });

  it.each(FIELDS)("%s: the field %j is %s", (row, errors, expected) => {
    const fault = classifyDiscordError(refusal(400, { code: 50035, message: "Invalid Form Body", errors }));
    expect(fault).toMatchObject({ row, class: expected });
  });

  test("D36: says which field was refused", () => {
    const errors = field("nonce", "NONCE_TYPE_INVALID", "no nonce");
    expect(classifyDiscordError(refusal(400, { code: 50035, message: "Invalid Form Body", errors })).what).toBe(
      'refused with status 400 and code 50035, "Invalid Form Body\\nnonce[NONCE_TYPE_INVALID]: no nonce"',
    );
  });

  it.each([
    ["D16", 50001],
    ["D18", 10003],
    ["D23", 160005],
  ])("%s: code %i of a call for a thread is about the thread", (row, code) => {
    const fault = classifyDiscordError(refusal(404, { code, message: "…" }), { isInThread: true });
    expect(fault).toMatchObject({ row, class: "thread_gone" });
  });

  it.each([
    ["D20", 10004, "chat_gone"],
    ["D22", 50083, "permanent"],
  ])("%s: code %i is never about the thread alone", (row, code, expected) => {
    const fault = classifyDiscordError(refusal(404, { code, message: "…" }), { isInThread: true });
    expect(fault).toMatchObject({ row, class: expected });
  });

  it.each([50001, 50013])("D17: code %i names the permissions that the call needs", (code) => {
    const needs = ["View Channel", "Send Messages in Threads"];
    const { advice } = classifyDiscordError(refusal(403, { code, message: "…" }), { needs });
    expect(advice).toMatch(/; this needs View Channel, Send Messages in Threads$/);
    expect(classifyDiscordError(refusal(404, { code: 10003, message: "…" }), { needs }).advice).not.toMatch(/needs/);
  });

  it.each([403, 429])("D13: a page with status %i is Cloudflare's and holds the account", (status) => {
    const fault = classifyDiscordError(refusal(status, "<html>"));
    expect(fault).toMatchObject({ row: "D13", class: "rate_limited", retryAfterMs: 60_000, isAccountWide: true });
  });

  it.each([
    ["D15", 401, "unauthorized"],
    ["D4", 413, "permanent"],
    ["404", 404, "definite"],
    ["4xx", 407, "definite"],
  ])("%s: a page with status %i is %s", (row, status, expected) => {
    expect(classifyDiscordError(refusal(status, "<html>"))).toMatchObject({ row, class: expected });
  });

  test("D15: what discord.js does not send any more once the token was refused", () => {
    const error = new Error("Expected token to be set for this request, but none was present");
    expect(classifyDiscordError(error)).toMatchObject({ row: "D15", class: "unauthorized" });
  });

  it.each([500, 502, 503, 504])("D35: status %i is ambiguous", (status) => {
    const error = new HTTPError(status, "Bad Gateway", "POST", URL, { files: undefined, body: undefined });
    expect(classifyDiscordError(error)).toMatchObject({ row: "D35", class: "ambiguous" });
  });
});

describe("a limit", () => {
  it.each([
    ["D9", "a route's", {}, { isAccountWide: false, retryAfterMs: 64_570 }],
    ["D11", "a shared", { scope: "shared", limit: Number.POSITIVE_INFINITY } as const, { isAccountWide: false }],
    ["D12", "the global", { global: true, scope: "global", limit: 50 } as const, { isAccountWide: true }],
  ])("%s: %s", (row, _, part, expected) => {
    expect(classifyDiscordError(limit(part))).toMatchObject({ row, class: "rate_limited", ...expected });
  });

  it.each([0, -50, Number.NaN])("D9: a wait of %s ms is taken for 5 s", (retryAfter) => {
    expect(classifyDiscordError(limit({ retryAfter })).retryAfterMs).toBe(5_000);
  });

  test("D9: a wait of years is taken for a day", () => {
    expect(classifyDiscordError(limit({ retryAfter: 1e12 })).retryAfterMs).toBe(86_400_000);
  });

  test("D29: slowmode waits the seconds that the answer names", () => {
    const body = { code: 20016, message: "…", retry_after: 2.5 };
    expect(classifyDiscordError(refusal(400, body))).toMatchObject({ retryAfterMs: 2_500, isAccountWide: false });
  });

  test("D34: DMs that were opened too fast wait a minute", () => {
    expect(classifyDiscordError(refusal(400, { code: 40003, message: "…" })).retryAfterMs).toBe(60_000);
  });
});

describe("a call without an answer", () => {
  it.each([
    ["never sent", new TransportError("connect ECONNREFUSED", { sent: false }), "definite"],
    ["reset after it was sent", new TransportError("socket hang up", { sent: true }), "ambiguous"],
    ["aborted", new DOMException("This operation was aborted", "AbortError"), "ambiguous"],
    ["D35: answered with half a JSON text", new SyntaxError("Unexpected end of JSON input"), "ambiguous"],
  ])("%s is %s", (_, error, expected) => {
    expect(classifyDiscordError(error).class).toBe(expected);
  });
});

describe("any thrown value", () => {
  test("has a class", () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        expect(CHANNEL_ERROR_CLASSES).toHaveProperty(classifyDiscordError(thrown).class);
      }),
    );
  });

  test("has a class also where the platform's answer is nonsense", () => {
    const parts = fc.record({ rawError: fc.anything(), status: fc.anything(), code: fc.anything() });
    fc.assert(
      fc.property(parts, fc.string(), (part, message) => {
        const fault = classifyDiscordError(Object.assign(new Error(message), part));
        expect(CHANNEL_ERROR_CLASSES).toHaveProperty(fault.class);
        if (fault.class === "rate_limited") expect(fault.retryAfterMs).toBeGreaterThan(0);
      }),
    );
  });

  test("that is a nonsense limit waits all the same", () => {
    const parts = fc.record({ retryAfter: fc.anything(), global: fc.anything(), limit: fc.anything() });
    fc.assert(
      fc.property(parts, (part) => {
        expect(classifyDiscordError(Object.assign(new Error("…"), part)).retryAfterMs).toBeGreaterThan(0);
      }),
    );
  });

  test("a long hostile message is cut and matched in linear time", () => {
    const message = `Invalid Form Body\n${"content[".repeat(1e5)}`;
    expect(classifyDiscordError(refusal(400, { code: 50035, message })).what.length).toBeLessThan(500);
  });
});
