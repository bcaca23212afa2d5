import { formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";
import { buildOutbound, type TestAccountOptions } from "../test-account.ts";

const ADDRESS = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "42" });

/** Ada has heard one message of the bot, which is then changed. */
async function openTown(options: TestAccountOptions = {}) {
  const town = await openTelegramTown();
  await town.ada.starts();
  const { edits, send } = await town.createAccount(options).connect();
  const { platformId } = await send(buildOutbound(42, "one **moment**"));
  if (edits === undefined) throw new Error("no edits");
  const change = (text: string, request: { platformId?: string; address?: typeof ADDRESS } = {}): Promise<void> =>
    edits.edit({ address: ADDRESS, platformId, text, ...request });
  return { ...town, platformId, change };
}

function countEdits({ telegram }: Pick<TelegramTown, "telegram">): Promise<number> {
  return telegram.record({ method: "editMessageText" }).then(({ length }) => length);
}

test("a message is edited with its markup, and shows no preview of links", async () => {
  const { telegram, ada, change } = await openTown();
  await change("so **bold** it is");
  const heard = await ada.hears("so bold it is");
  expect(heard.entities).toEqual([{ type: "bold", offset: 3, length: 4 }]);
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["so bold it is"]);
  const [call] = await telegram.record({ method: "editMessageText" });
  expect(call?.params).toMatchObject({ chat_id: 42, link_preview_options: { is_disabled: true } });
});

test("a message in a topic is edited where it is", async () => {
  const { telegram, ada, createAccount } = await openTelegramTown();
  const bot = await telegram.bot();
  const hall = await telegram.createRoom({
    kind: "supergroup",
    title: "Hall",
    isForum: true,
    creator: ada,
    bots: [bot],
  });
  const topic = await hall.opensTopic("news", ada);
  const place = { channel: "telegram", account: "default", kind: "group", chat: String(hall.chatId) } as const;
  const address = formatAddress({ ...place, thread: String(topic) });
  const { edits, send } = await createAccount().connect();
  const { platformId } = await send(buildOutbound(42, "one", { address }));
  await edits?.edit({ address, platformId, text: "two" });
  const said = (await hall.history()).messages.filter(({ author }) => author === "bot");
  expect(said).toMatchObject([{ text: "two", extra: { message_thread_id: topic } }]);
});

test("T4: markup that is refused is left out, once", async () => {
  let refusals = 1;
  const intercept: TestAccountOptions["intercept"] = (method) => {
    if (method !== "editMessageText" || refusals === 0) return undefined;
    refusals -= 1;
    return { status: 400, body: { ok: false, error_code: 400, description: "Bad Request: can't parse entities" } };
  };
  const { ada, change } = await openTown({ intercept });
  await change("so **bold** it is");
  expect((await ada.hears("so bold it is")).entities).toEqual([]);
});

test("T4: links that are refused as too long show their addresses; where these do not fit the edit is refused", async () => {
  const { ada, change } = await openTown();
  const link = (at: number) => `[tree ${at}](https://e.org/${"樹".repeat(20)}/${at})`;
  await change(Array.from({ length: 60 }, (_, at) => link(at)).join("\n"));
  const heard = await ada.hears(/^tree 0 \(https/);
  expect(heard.text).toContain("tree 59 (https://e.org/");
  expect(heard.entities.map(({ type }) => type)).not.toContain("text_link");
  const many = Array.from({ length: 90 }, (_, at) => link(at)).join("\n");
  await expect(change(many)).rejects.toMatchObject({ class: "bad_markup" });
});

test("T7: an edit that changes nothing has succeeded", async () => {
  const town = await openTown();
  await town.change("one **moment**");
  await town.change("one **moment**");
  expect(await countEdits(town)).toBe(2);
});

test("T8: what is gone, or another's, can be edited no more, and a new message is advised", async () => {
  const { ada, change, platformId } = await openTown();
  const others = String(await ada.says("mine"));
  await ada.erases(Number(platformId));
  for (const gone of ["999", others, platformId])
    await expect(change("x", { platformId: gone })).rejects.toMatchObject({
      class: "message_gone",
      message: expect.stringContaining("send a new message"),
    });
});

test("T13: an edit for somebody who blocked the bot is about the chat", async () => {
  const { ada, change } = await openTown();
  await ada.blocks();
  await expect(change("two")).rejects.toMatchObject({ class: "chat_gone" });
});

test("T27: an edit that comes too soon says how long to wait", async () => {
  const { telegram, change } = await openTown();
  await telegram.flood({ chatId: 42, retryAfterS: 3 });
  await expect(change("two")).rejects.toMatchObject({ class: "rate_limited", retryAfterMs: 3_000 });
});

test("T55: an edit whose answer is lost is unclear, and the same again succeeds", async () => {
  const { telegram, ada, change } = await openTown();
  await telegram.faults.add({ kind: "drop-answer", method: "editMessageText" });
  await expect(change("two")).rejects.toMatchObject({ class: "ambiguous" });
  await change("two");
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["two"]);
});

test("an id that is none is refused without a call", async () => {
  const town = await openTown();
  await expect(town.change("two", { platformId: "soon" })).rejects.toMatchObject({ class: "permanent" });
  expect(await countEdits(town)).toBe(0);
});

/** A basic group in which the bot has said something; the news of what becomes of it does not come. */
async function openGroup() {
  const { telegram, ada, createAccount } = await openTelegramTown();
  const hall = await telegram.createRoom({ kind: "group", title: "Hall", creator: ada, bots: [await telegram.bot()] });
  const account = createAccount();
  const { edits, send } = await account.connect();
  const place = { channel: "telegram", account: "default", kind: "group" } as const;
  const addressOf = (chatId: number) => formatAddress({ ...place, chat: String(chatId) });
  const address = addressOf(hall.chatId);
  const { platformId } = await send(buildOutbound(42, "at work", { address }));
  const change = (text: string) => edits?.edit({ address, platformId, text });
  const texts = async () => (await hall.member(ada).messages()).map(({ text }) => text);
  return { telegram, ada, hall, change, texts, addressOf };
}

test("T12: in a group that has become a supergroup nothing is edited, and the new chat is told", async () => {
  const { ada, hall, change, texts, addressOf } = await openGroup();
  await change("nearly done");
  const grown = await hall.upgrades(ada);
  await expect(change("done")).rejects.toMatchObject({ class: "migrated", migratedTo: addressOf(grown.chatId) });
  expect(await texts()).toEqual(["nearly done"]);
});

test("T12: also where the group moves while the edit is on its way", async () => {
  const { telegram, ada, hall, change, addressOf } = await openGroup();
  const gate = await telegram.faults.hold({ method: "editMessageText", at: "request", times: 1 });
  const changed = change("done");
  await gate.reached();
  const grown = await hall.upgrades(ada);
  await gate.release();
  await expect(changed).rejects.toMatchObject({ class: "migrated", migratedTo: addressOf(grown.chatId) });
});

test("T12: what else is in the way of that look is none of the edit's business, and other chats are not looked at", async () => {
  const { telegram, change, texts } = await openGroup();
  await telegram.faults.add({ kind: "server-error", method: "sendChatAction", times: "always" });
  await change("done");
  expect(await texts()).toEqual(["done"]);
  const looks = async () => (await telegram.record({ method: "sendChatAction" })).length;
  const before = await looks();
  const { change: changeInDm, telegram: other } = await openTown();
  await changeInDm("done");
  expect(await other.record({ method: "sendChatAction" })).toEqual([]);
  expect(await looks()).toBe(before);
});
