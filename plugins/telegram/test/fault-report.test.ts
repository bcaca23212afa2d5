import { inspect } from "node:util";
import { ChannelError } from "@banyan/plugin-sdk";
import { GrammyError, HttpError } from "grammy/web";
import { describe, expect, test } from "vitest";
import { createFaultReport } from "../src/fault-report.ts";

const SECRET = "CANARY_oXfn7VdAxF0Wq9lPzT3s";
const TOKEN = `7550001:${SECRET}`;
const report = createFaultReport("default", TOKEN);

function expectNoSecret(error: unknown): void {
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(SECRET);
}

describe("the error of a call", () => {
  test("says what was tried, what came and what to do", () => {
    const body = { ok: false, error_code: 403, description: "Forbidden: bot was blocked by the user" } as const;
    const error = report("Sending to Telegram chat 42", new GrammyError("…", body, "sendMessage", { text: "private" }));
    expect(error.message).toBe(
      'Sending to Telegram chat 42: refused with 403 "Forbidden: bot was blocked by the user"; ' +
        "nothing can be sent here until the user writes to the bot",
    );
    expect(inspect(error, { depth: null })).not.toContain("private");
  });

  test("never holds the token, however deep the client put its URL", () => {
    const url = `https://api.telegram.org/bot${TOKEN}/sendMessage`;
    const root = Object.assign(new Error(`getaddrinfo failed for ${url}`), { url });
    const fetchError = new TypeError(`fetch of ${encodeURI(url)} failed`, { cause: root });
    const error = report("Sending", new HttpError(`Network request failed: ${url}`, fetchError));
    expect(error.class).toBe("ambiguous");
    expect(error.message).toContain("[token]");
    expectNoSecret(error);
  });

  test("never holds the token that a proxy's answer or an encoded URL repeats", () => {
    const description = `Bad Gateway for /bot${encodeURIComponent(TOKEN)}/getMe`;
    expectNoSecret(report("Polling", new GrammyError("…", { ok: false, error_code: 502, description }, "getMe", {})));
  });

  test("never holds a short token either", () => {
    const error = createFaultReport("default", "1:abc")("Sending", new Error("no route to /bot1:abc/getMe, abc"));
    expect(error.message).toContain("no route to /bot[token]/getMe, abc");
  });

  test("ends at a cause that is its own cause", () => {
    const error = new Error("loop");
    error.cause = error;
    expect(report("Sending", error).class).toBe("ambiguous");
  });

  test("passes a ChannelError on as it is", () => {
    const error = new ChannelError("permanent", "Sending: no");
    expect(report("Sending", error)).toBe(error);
  });
});
