import { createManualClock, createSignal } from "@banyan/emulator-kit";
import { expect, it } from "vitest";
import { QUEUE_LIMIT, UpdateQueue } from "../src/bots/update-queue.ts";
import { CHAT_LIMIT_EVENTS } from "../src/chats/message-log.ts";
import { createTelegramEmulator } from "../src/index.ts";
import { Platform } from "../src/platform.ts";
import { CallJournal, RECORD_LIMIT } from "../src/records/call-record.ts";
import { createBotClient, GROVE, pick, pickId } from "./bot-client.ts";

it("queues no more updates than its limit, and says so", () => {
  const queue = new UpdateQueue(1);
  for (let at = 0; at < QUEUE_LIMIT; at += 1) queue.add("message", {}, 0);
  expect(() => queue.add("message", {}, 0)).toThrow("100000 are unconfirmed");
  queue.confirm(QUEUE_LIMIT, 0);
  expect(queue.take(100)).toEqual([{ update_id: QUEUE_LIMIT, message: {} }]);
});

it("refuses to read a record that has become incomplete", () => {
  const journal = new CallJournal("calls", createSignal(createManualClock()));
  const call = { method: "getMe", params: {}, atMs: 0 };
  for (let at = 0; at < RECORD_LIMIT; at += 1) journal.open(call);
  expect(journal.list({}).length).toBe(RECORD_LIMIT);
  journal.open(call);
  expect(() => journal.list({})).toThrow("more than 200000 calls");
});

it("keeps every event of a chat up to its limit, and fails loudly behind it", () => {
  const clock = createManualClock();
  const platform = new Platform({ clock, patience: clock, random: () => 0, isExact: true, isPacingStrict: false });
  platform.addPerson({ id: 7, firstName: "Ada" });
  const chat = platform.getChat(platform.bots.add(GROVE), platform.getPerson(7));
  const draft = { author: "user", text: "x", entities: [], atMs: 0 } as const;
  for (let at = 0; at < CHAT_LIMIT_EVENTS; at += 1) chat.add(draft);
  expect(chat.messages().length).toBe(CHAT_LIMIT_EVENTS);
  expect(() => chat.add(draft)).toThrow("100000 events");
});

it('in the mode "counts" keeps numbers and the latest messages only', async () => {
  const emulator = await createTelegramEmulator({ record: "counts" });
  await emulator.addBot(GROVE);
  const ada = await emulator.user({ id: 7, firstName: "Ada" });
  await ada.starts();
  const api = createBotClient(emulator.url);
  for (let at = 0; at < 200; at += 1) await api("sendMessage", { chat_id: 7, text: String(at) });
  const id = pickId(await api("sendMessage", { chat_id: 7, text: "draft" }));
  for (let at = 0; at < 5; at += 1) await api("editMessageText", { chat_id: 7, message_id: id, text: `edit ${at}` });
  await ada.hears("edit 4");
  expect((await ada.history()).length).toBe(64);
  expect((await ada.history()).at(-1)?.versions.length).toBe(2);
  expect(pick(await emulator.counts(), "sendMessage", "accepted")).toBe(201);
  await expect(emulator.record()).rejects.toMatchObject({ code: "limit_reached" });
  await emulator.close();
});
