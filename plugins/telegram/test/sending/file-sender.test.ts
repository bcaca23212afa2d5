import type { OutboundFile } from "@banyan/plugin-sdk";
import { beforeEach, expect, test } from "vitest";
import telegramPlugin from "../../src/index.ts";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";
import { buildOutbound } from "../test-account.ts";

const MIB = 1024 * 1024;

let telegram: TelegramTown["telegram"];
let ada: TelegramTown["ada"];
let send: (text: string, file: OutboundFile, replyTo?: string) => Promise<unknown>;

beforeEach(async () => {
  const town = await openTelegramTown();
  ({ telegram, ada } = town);
  await ada.starts();
  const connection = await town.createAccount().connect();
  send = (text, file, replyTo) =>
    connection.send(buildOutbound(ada.id, text, { file, ...(replyTo !== undefined && { replyTo }) }));
});

function fileOf(name: string, content: string | Buffer): OutboundFile {
  const bytes = Buffer.from(content);
  return { name, sizeBytes: bytes.length, read: async () => bytes };
}

async function methodsCalled(): Promise<readonly string[]> {
  const sends = (await telegram.record()).filter(({ method }) => method.startsWith("send"));
  return sends.map(({ method, answer }) => `${method} ${answer?.status}`);
}

test("a file goes with its bytes, its name and its caption, in answer to a message", async () => {
  const said = await ada.says("the oaks, please");
  await send("here are **both**", fileOf("oaks.txt", "two öld oaks"), String(said));
  const file = await ada.hearsFile("here are both");
  expect([file.kind, file.name, file.bytes.toString()]).toEqual(["document", "oaks.txt", "two öld oaks"]);
  const [message] = await ada.messages();
  expect(message).toMatchObject({ replyTo: said, entities: [{ type: "bold", offset: 9, length: 4 }] });
});

test("T47: a photo goes as one up to 10 MB, and as a document above", async () => {
  await send("", fileOf("small.JPG", "pixels"));
  await send("", fileOf("large.png", Buffer.alloc(10 * MIB + 1, 1)));
  expect(await methodsCalled()).toEqual(["sendPhoto 200", "sendDocument 200"]);
});

test.each([
  "PHOTO_INVALID_DIMENSIONS",
  "IMAGE_PROCESS_FAILED",
  "not enough rights to send photos to the chat",
  "file of size 11000000 bytes is too big for a photo; the maximum size is 10485760 bytes",
])("a photo refused with %j goes as a document, for nothing was sent", async (reason) => {
  await telegram.faults.add({ kind: "refuse", method: "sendPhoto", code: 400, description: `Bad Request: ${reason}` });
  await send("look", fileOf("a.png", "pixels"));
  expect(await methodsCalled()).toEqual(["sendPhoto 400", "sendDocument 200"]);
  expect((await ada.hearsFile("look")).kind).toBe("document");
});

test("a photo that is refused for its chat is not tried as a document", async () => {
  const description = "Bad Request: chat not found";
  await telegram.faults.add({ kind: "refuse", method: "sendPhoto", code: 400, description });
  await expect(send("look", fileOf("a.png", "pixels"))).rejects.toMatchObject({ class: "chat_gone" });
  expect(await methodsCalled()).toEqual(["sendPhoto 400"]);
});

test("T4: a caption that Telegram cannot read goes without its markup", async () => {
  const description = "Bad Request: can't parse entities: x";
  await telegram.faults.add({ kind: "refuse", method: "sendDocument", code: 400, description });
  await send("**look**", fileOf("a.txt", "x"));
  expect((await ada.messages())[0]).toMatchObject({ text: "look", entities: [] });
});

test("T4: a caption whose links are refused as too long goes on in messages after its file, with every address", async () => {
  const said = await ada.says("the trees, please");
  const links = Array.from({ length: 60 }, (_, at) => `[tree ${at}](https://e.org/${"樹".repeat(20)}/${at})`);
  const sent = await send(links.join("\n"), fileOf("a.txt", "x"), String(said));
  expect(await methodsCalled()).toEqual(["sendDocument 400", "sendDocument 200", "sendMessage 200"]);
  const messages = (await ada.messages()).filter(({ author }) => author === "bot");
  expect(messages.flatMap(({ text }) => text.split("\n"))).toEqual(
    links.map((_, at) => `tree ${at} (https://e.org/${"樹".repeat(20)}/${at})`),
  );
  expect(messages.map(({ replyTo }) => replyTo)).toEqual([said, undefined]);
  expect(sent).toEqual({ platformId: String(messages[1]?.messageId) });
});

test("T4: of a file whose caption is sent in part it is unknown what stands there", async () => {
  const links = Array.from({ length: 60 }, (_, at) => `[tree ${at}](https://e.org/${"樹".repeat(20)}/${at})`);
  const description = "Bad Request: chat not found";
  await telegram.faults.add({ kind: "refuse", method: "sendMessage", code: 400, description });
  await expect(send(links.join("\n"), fileOf("a.txt", "x"))).rejects.toMatchObject({ class: "ambiguous" });
  expect(await methodsCalled()).toEqual(["sendDocument 400", "sendDocument 200", "sendMessage 400"]);
});

test("T47: what is too large all the same is refused for good, and sent once", async () => {
  const refusal = {
    kind: "refuse",
    method: "sendDocument",
    code: 413,
    description: "Request Entity Too Large",
  } as const;
  await telegram.faults.add(refusal);
  await expect(send("", fileOf("a.txt", "x"))).rejects.toMatchObject({ class: "permanent" });
  expect(await methodsCalled()).toEqual(["sendDocument 413"]);
});

test("T56: a lost answer says nothing of whether the file stands there", async () => {
  await telegram.faults.add({ kind: "drop-answer", method: "sendDocument" });
  await expect(send("", fileOf("a.txt", "x"))).rejects.toMatchObject({ class: "ambiguous" });
  expect(await ada.messages()).toHaveLength(1);
});

test("T3: the core is told how much a caption holds", () => {
  expect(telegramPlugin.capabilities.files).toEqual({ limitBytes: 50 * MIB, captionLimit: 1024 });
});
