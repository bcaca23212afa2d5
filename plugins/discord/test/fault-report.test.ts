import { inspect } from "node:util";
import { ChannelError } from "@banyan/plugin-sdk";
import { DiscordAPIError } from "discord.js";
import { describe, expect, test } from "vitest";
import { createFaultReport } from "../src/fault-report.ts";

const SIGNATURE = "CANARY_oXfn7VdAxF0Wq9lPzT3s";
const TOKEN = `MTEwMDAwMDAwMDAwMDAwMDAwMQ.Gh1jkL.${SIGNATURE}`;
const WEBHOOK = "CANARY_webhook-Secret_42";
const report = createFaultReport(TOKEN);

function expectNoSecret(error: unknown): void {
  expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/CANARY/);
}

function refusal(code: number, message: string, url: string): DiscordAPIError {
  const bodyData = { files: undefined, body: { content: "private" } };
  return new DiscordAPIError({ code, message }, code, 403, "POST", url, bodyData);
}

describe("the error of a call", () => {
  test("says what was tried, what came and what to do", () => {
    const url = `https://discord.com/api/v10/webhooks/1100000000000000001/${WEBHOOK}`;
    const error = report("Sending to Discord channel 42", refusal(50013, "Missing Permissions", url), {
      needs: ["Send Messages"],
    });
    expect(error.message).toBe(
      'Sending to Discord channel 42: refused with status 403 and code 50013, "Missing Permissions"; ' +
        "give the bot's role the permission; this needs Send Messages",
    );
    expect(inspect(error, { depth: null })).not.toContain("private");
    expectNoSecret(error);
  });

  test("never holds the token, however deep the client put it", () => {
    const root = Object.assign(new Error(`no route for Authorization: Bot ${TOKEN}`), { headers: TOKEN });
    const error = report("Sending", new TypeError(`fetch failed with …${SIGNATURE}`, { cause: root }));
    expect(error.class).toBe("ambiguous");
    expect(error.message).toContain("[token]");
    expectNoSecret(error);
  });

  test.each(["webhooks", "interactions"])(
    "never holds the secret of an address below /%s, whatever repeats it",
    (kind) => {
      const url = `https://discord.com/api/v10/${kind}/1100000000000000001/${WEBHOOK}/callback`;
      const error = report("Answering", new Error(`no answer from ${url}`));
      expect(error.message).toContain(`/${kind}/1100000000000000001/[token]/callback`);
      expectNoSecret(error);
    },
  );

  test("never holds a short token either", () => {
    const error = createFaultReport("a.b.c")("Sending", new Error("no route for a.b.c, c"));
    expect(error.message).toContain("no route for [token], c");
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

  test("tells how long to wait, and whether the account waits", () => {
    const error = report("Sending", refusal(40333, "Cloudflare is blocking your request", "https://discord.com/"));
    expect(error).toMatchObject({ class: "rate_limited", retryAfterMs: 60_000, isAccountWide: true });
  });
});
