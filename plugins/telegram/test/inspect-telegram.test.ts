import { createTelegramEmulator, type TelegramEmulator } from "@banyan/emulator-telegram";
import { ChannelError } from "@banyan/plugin-sdk";
import { createManualClock } from "@banyan/plugin-sdk/kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inspectTelegram } from "../src/inspect-telegram.ts";
import { telegramConfig } from "../src/telegram-config.ts";
import { createLoopbackFetch, type Interception } from "./loopback-fetch.ts";
import { TOKEN } from "./test-account.ts";

let telegram: TelegramEmulator;

beforeEach(async () => {
  telegram = await createTelegramEmulator();
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
});
afterEach(() => telegram.close());

interface Case {
  readonly token?: string;
  readonly mayListen?: boolean;
  readonly needsAllMessages?: boolean;
  readonly webhook?: "delete" | "refuse";
  readonly intercept?: Interception;
}

function inspect({ token = TOKEN, mayListen = false, needsAllMessages = false, webhook, intercept }: Case = {}) {
  const say = () => undefined;
  return inspectTelegram({
    config: telegramConfig.parse({ token, apiBaseUrl: telegram.url, webhook }),
    account: "default",
    fetch: createLoopbackFetch(intercept),
    clock: createManualClock(),
    log: { debug: say, info: say, warn: say, error: say },
    signal: new AbortController().signal,
    mayListen,
    needsAllMessages,
    groups: { policy: "allowlist", allow: [], guilds: [] },
    commands: [],
  });
}

test.each([
  [true, true, "privacy mode off: in groups it sees every message"],
  [true, false, "privacy mode on: in groups it sees mentions, replies and commands only"],
  [false, false, "it may not be added to groups"],
])("names the bot and says what it sees in groups (may join: %s, reads all: %s)", async (joins, readsAll, text) => {
  const me = { id: 7550001, is_bot: true, first_name: "Grove", username: "grove_bot" };
  const result = { ...me, can_join_groups: joins, can_read_all_group_messages: readsAll };
  const body = { ok: true, result };
  const intercept: Interception = (method) => (method === "getMe" ? { status: 200, body } : undefined);
  expect(await inspect({ intercept })).toMatchObject({ identity: "@grove_bot", findings: [{ level: "note", text }] });
});

test("T43: a bot that is to answer all of a group and does not hear it is a warning with its cure", async () => {
  const { findings } = await inspect({ needsAllMessages: true });
  expect(findings).toEqual([
    {
      level: "warning",
      text: expect.stringMatching(/^privacy mode on: .* only, but groups\.requireMention is false$/),
      cure: expect.stringMatching(
        /^switch privacy off at @BotFather \(\/setprivacy\) and add the bot to the group again/,
      ),
    },
  ]);
  await telegram.setBot({ abilities: { can_read_all_group_messages: true } });
  expect((await inspect({ needsAllMessages: true })).findings).toEqual([
    { level: "note", text: "privacy mode off: in groups it sees every message" },
  ]);
  await telegram.setBot({ abilities: { can_read_all_group_messages: false, can_join_groups: false } });
  expect((await inspect({ needsAllMessages: true })).findings).toEqual([
    { level: "note", text: "it may not be added to groups" },
  ]);
});

test("T29: a refused token is an error that names the cure and not the token", async () => {
  const error = await inspect({ token: "1:WRONG_TOKEN" }).catch((refusal: unknown) => refusal);
  expect(error).toBeInstanceOf(ChannelError);
  expect(String(error)).toMatch(/Asking Telegram about the bot: refused with 40[14].*@BotFather/);
  expect(String(error)).not.toContain("WRONG_TOKEN");
});

test.each([
  ["delete", "the gateway deletes it when it starts; stop the other program"],
  [
    "refuse",
    'stop the other program and delete the webhook, or set channels.telegram.accounts.default.webhook to "delete"',
  ],
] as const)("T33: a webhook is told, with what helps under webhook: %s", async (webhook, cure) => {
  const body = { ok: true, result: { url: "https://example.org/hook", pending_update_count: 0 } };
  const intercept: Interception = (method) => (method === "getWebhookInfo" ? { status: 200, body } : undefined);
  const { findings } = await inspect({ mayListen: true, webhook, intercept });
  expect(findings).toContainEqual({ level: "warning", text: expect.stringContaining("example.org"), cure });
});

test("T32: another program that polls is found, and only when listening is allowed", async () => {
  const description =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
  const intercept: Interception = (method) =>
    method === "getUpdates" ? { status: 409, body: { ok: false, error_code: 409, description } } : undefined;
  expect((await inspect({ intercept })).findings.some(({ level }) => level === "error")).toBe(false);
  const { findings } = await inspect({ mayListen: true, intercept });
  expect(findings).toContainEqual(
    expect.objectContaining({ level: "error", text: "another program polls with this token" }),
  );
});

test("listening confirms nothing: what waits is still there for the gateway", async () => {
  const ada = await telegram.user({ id: 7550356539, firstName: "Ada" });
  await ada.says("are you there?");
  await inspect({ mayListen: true });
  const response = await fetch(`${telegram.url}/bot${TOKEN}/getUpdates`);
  expect(await response.json()).toMatchObject({ result: [{ message: { text: "are you there?" } }] });
});
