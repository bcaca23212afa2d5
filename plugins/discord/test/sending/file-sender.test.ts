import type { OutboundFile } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { openSpeakingTown, SEND } from "../discord-town.ts";

const MINUTES = 60_000;

function fileOf(name: string, content = "two öld oaks"): OutboundFile {
  const bytes = Buffer.from(content);
  return { name, sizeBytes: bytes.length, read: async () => bytes };
}

test("a file goes with its name, its size and its words, and calls nobody", async () => {
  const { discord, general, inGeneral, say } = await openSpeakingTown();
  const asked = await inGeneral.says("the oaks?");
  await say("here", { file: fileOf("oaks.txt"), replyTo: asked });
  const { message } = await inGeneral.hears("here", { once: true });
  expect(message.attachments).toMatchObject([{ filename: "oaks.txt", size: 13 }]);
  expect(message.referenced_message?.id).toBe(asked);
  const [call] = await discord.record({ route: SEND });
  expect(call).toMatchObject({ files: ["oaks.txt"], body: { allowed_mentions: { parse: [] }, enforce_nonce: true } });
  expect(await general.messages()).toHaveLength(1);
});

test("a file may go without a word", async () => {
  const { general, say } = await openSpeakingTown();
  await say("", { deliveryId: "d1", file: fileOf("oaks.txt") });
  expect((await general.messages())[0]).toMatchObject({ text: "" });
});

test("D5: a file whose answer was lost is sent again and stands once", async () => {
  const { discord, general, say } = await openSpeakingTown();
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  const part = { deliveryId: "d1", file: fileOf("oaks.txt") };
  await expect(say("", part)).rejects.toMatchObject({ class: "ambiguous" });
  const platformId = await say("", { ...part, attempt: 2, mayHaveArrived: true });
  expect((await general.messages()).map(({ messageId }) => messageId)).toEqual([platformId]);
});

test("D5: after the nonce's time it is found in the history by its name, and no other file is taken for it", async () => {
  const { discord, general, account, say } = await openSpeakingTown({ emulator: { historyNonces: false } });
  const createdAt = Date.now();
  await say("", { deliveryId: "other", file: fileOf("elms.txt") });
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  const part = { deliveryId: "d1", file: fileOf("öaks.txt"), createdAt };
  await expect(say("", part)).rejects.toMatchObject({ class: "ambiguous" });
  await discord.passTime(10 * MINUTES);
  account.passTime(10 * MINUTES);
  const platformId = await say("", { ...part, attempt: 2, mayHaveArrived: true });
  const messages = await general.messages();
  expect(messages).toHaveLength(2);
  expect(messages[1]?.messageId).toBe(platformId);
});

test("what is no file goes to Discord as JSON", async () => {
  const { discord, say } = await openSpeakingTown();
  await say("hello");
  expect((await discord.record({ route: SEND }))[0]?.files).toEqual([]);
});
