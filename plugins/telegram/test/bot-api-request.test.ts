import { existsSync, readFileSync } from "node:fs";
import { createBotApiSchema, createTelegramEmulator } from "@banyan/emulator-telegram";
import { type Address, type ChannelConnection, formatAddress } from "@banyan/plugin-sdk";
import { assert, expect, test } from "vitest";
import { inspectTelegram } from "../src/inspect-telegram.ts";
import { telegramConfig } from "../src/telegram-config.ts";
import { createLoopbackFetch } from "./loopback-fetch.ts";
import { buildOutbound, TestAccount, TOKEN } from "./test-account.ts";

/** The machine-readable Bot API, which lies beside the repository where it is developed. */
const SPEC = new URL("../../../../shared/specs/telegram/bot-api.json", import.meta.url);
const spec: unknown = existsSync(SPEC) ? JSON.parse(readFileSync(SPEC, "utf8")) : undefined;

test.skipIf(spec === undefined)(
  "every call of an account is one that the Bot API describes (only beside its specification)",
  async () => {
    const telegram = await createTelegramEmulator();
    const bot = await telegram.addBot({ token: TOKEN, username: "grove_bot" });
    const ada = await telegram.user({ id: 42, firstName: "Ada" });
    await fetch(`${telegram.url}/bot${TOKEN}/setWebhook?url=https://e.org/hook`);
    const account = new TestAccount(telegram, {
      commands: [
        { name: "status", summary: "what runs here", isDmOnly: false },
        { name: "link", summary: "join your accounts", isDmOnly: true },
      ],
    });
    const connection = await account.connect();
    await telegram.called("deleteWebhook");
    await telegram.called("setMyCommands", 2);

    const said = await ada.says("hello");
    await ada.edits(said, "hello, you");
    await ada.sends({ kind: "photo" });
    await ada.sends({ kind: "sticker" });
    const hall = { kind: "supergroup", title: "Hall", creator: ada, bots: [bot] } as const;
    const group = await telegram.createRoom(hall);
    await group.member(ada).says("@grove_bot, are you there?");
    await ada.says("last");
    await account.receives(3);

    assert(connection.typing !== undefined);
    const stop = connection.typing.start(buildOutbound(42, "-").address);
    account.clock.advance(300);
    await telegram.called("sendChatAction");
    stop();
    const markdown =
      "# Title\n\n**bold** _italic_ `code` [link](https://e.org)\n\n```ts\nlet a\n```\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|";
    await connection.send(buildOutbound(42, markdown, { replyTo: String(said) }));
    await connection.send(buildOutbound(42, "gone", { replyTo: "999" }));
    const address = formatAddress({
      channel: "telegram",
      account: "default",
      kind: "group",
      chat: String(group.chatId),
    });
    await connection.send(buildOutbound(42, "here", { address, replyTo: "2" }));
    const topic = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "42", thread: "7" });
    await connection.send(buildOutbound(42, "into a topic that is gone", { address: topic }));
    const forum = await telegram.createRoom({ ...hall, isForum: true, title: "Forum" });
    await forum.promotes(bot, ada, { rights: { can_manage_topics: true } });
    for (const chat of [group, forum]) await playThread(connection, String(chat.chatId));
    const [left] = (await forum.history()).topics;
    await forum.promotes(bot, ada, { rights: { can_manage_topics: false } });
    await forum.opensTopic("oaks", ada).then((id) => forum.closesTopic(id, ada));
    await forum.closesTopic(left?.id ?? 0, ada);
    await connection.send(buildOutbound(42, "again", { address: buildPlace(String(forum.chatId), left?.id) }));
    await telegram.called("getChatMember");
    await ada.blocks();
    await expect(connection.send(buildOutbound(42, "x"))).rejects.toThrow();

    await account.close();
    const say = () => undefined;
    await inspectTelegram({
      config: telegramConfig.parse({ token: TOKEN, apiBaseUrl: telegram.url }),
      account: "default",
      fetch: createLoopbackFetch(),
      clock: account.clock,
      log: { debug: say, info: say, warn: say, error: say },
      signal: new AbortController().signal,
      mayListen: false,
      needsAllMessages: false,
      groups: { policy: "allowlist", allow: [], guilds: [] },
      commands: [],
    });
    const calls = await telegram.record();
    expect(calls.filter(({ params }) => params.message_thread_id === 7)).toHaveLength(1);
    expect(createBotApiSchema(spec).checkCalls(calls)).toEqual([]);
    expect([...new Set(calls.map(({ method }) => method))].toSorted()).toEqual(
      expect.arrayContaining([
        "closeForumTopic",
        "createForumTopic",
        "deleteForumTopic",
        "deleteMessage",
        "deleteWebhook",
        "editForumTopic",
        "editMessageText",
        "getChatMember",
        "getMe",
        "getMyCommands",
        "getUpdates",
        "getWebhookInfo",
        "reopenForumTopic",
        "sendChatAction",
        "sendMessage",
        "setMyCommands",
      ]),
    );
    await telegram.close();
  },
);

function buildPlace(chat: string, topicId?: number): Address {
  const place = { channel: "telegram", account: "default", kind: "group", chat } as const;
  return formatAddress(topicId === undefined ? place : { ...place, thread: String(topicId) });
}

/** Two threads: one that is archived, and one that is taken back. */
async function playThread({ threads }: ChannelConnection, chat: string): Promise<void> {
  assert(threads?.rename !== undefined);
  const parent = buildPlace(chat);
  const { address } = await threads.open({ bindingId: `${chat}-1`, parent, name: "census", hello: "**hello**" });
  await threads.probe(address);
  await threads.rename({ address, name: "✅ census" });
  await threads.archive({ bindingId: `${chat}-1`, address, name: "⏹ census", goodbye: "goodbye" });
  await threads.open({ bindingId: `${chat}-2`, parent, name: "walk", hello: "hello" });
  await threads.withdraw({ bindingId: `${chat}-2`, parent });
}
