import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import type { AttachmentReference, ChannelConnection } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildFileUrl } from "../../src/files/file-url.ts";
import { TestAccount, TOKEN } from "../test-account.ts";

const MIB = 1024 * 1024;

let telegram: TelegramEmulator;
let account: TestAccount;
let connection: ChannelConnection;
let ada: TelegramUser;
beforeEach(async () => {
  telegram = await createTelegramEmulator();
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  account = new TestAccount(telegram);
  connection = await account.connect();
  ada = await telegram.user({ id: 7, firstName: "Ada" });
});
afterEach(async () => {
  await account.close();
  await telegram.close();
});

async function receiveFile(): Promise<AttachmentReference> {
  await account.receives(account.received.length + 1);
  const file = account.received.at(-1)?.attachments?.[0];
  if (file === undefined) throw new Error("A file was received: the message holds none");
  return file;
}

async function download(file: AttachmentReference): Promise<string> {
  const request = { limitBytes: 30 * MIB, signal: new AbortController().signal };
  const body = await connection.files?.download(file, request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it("fetches what a message named, the largest size of a photo", async () => {
  await ada.sendsDocument({ name: "oaks.txt", mimeType: "text/plain", content: "two öaks" });
  const file = await receiveFile();
  expect(file).toMatchObject({ name: "oaks.txt", mimeType: "text/plain", sizeBytes: 9 });
  expect(await download(file)).toBe("two öaks");
});

it("T46: asks for a link each time, so that an old one does no harm", async () => {
  await ada.sendsPhoto({ content: "the largest" });
  const file = await receiveFile();
  expect(await download(file)).toBe("the largest");
  await telegram.passTime(2 * 60 * 60 * 1000);
  expect(await download(file)).toBe("the largest");
});

it("T46: says that a file is too large for bots", async () => {
  await ada.sendsDocument({ name: "film.mov", sizeBytes: 20 * MIB + 1 });
  await expect(download(await receiveFile())).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringMatching(/"film\.mov" .*file is too big.*up to 20 MB/),
  });
});

it("T48: gives up an id that Telegram does not know", async () => {
  await expect(download({ id: "nothing" })).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringContaining("wrong file_id"),
  });
});

it("T48: asks for a new link once where the first one is refused", async () => {
  await ada.sendsDocument({ content: "x" });
  const file = await receiveFile();
  await telegram.faults.add({ kind: "server-error", method: "downloadFile" });
  expect(await download(file)).toBe("x");
  for (const _ of [1, 2]) await telegram.faults.add({ kind: "server-error", method: "downloadFile" });
  await expect(download(file)).rejects.toMatchObject({ class: "definite", message: expect.stringContaining("502") });
});

it("says nothing of the token where the connection breaks", async () => {
  await ada.sendsDocument({ content: "x" });
  const file = await receiveFile();
  await telegram.faults.add({ kind: "drop-answer", method: "downloadFile" });
  const error: unknown = await download(file).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ChannelError" });
  expect(String(Object(error).stack)).not.toContain(TOKEN.split(":")[1]);
});

it.each([
  [undefined, "no path"],
  ["", "no path"],
  ["/var/lib/bot/file.txt", "own disk"],
  ["C:\\files\\a", "own disk"],
  ["../../bot1:x/logOut", "leads elsewhere"],
  ["documents//a", "leads elsewhere"],
])("does not follow the path %j", (path, problem) => {
  const config = { apiBaseUrl: "https://api.telegram.org", token: TOKEN };
  expect(() => buildFileUrl(config, path)).toThrow(problem);
  expect(buildFileUrl(config, "photos/a b?.jpg")).toBe(`https://api.telegram.org/file/bot${TOKEN}/photos/a%20b%3F.jpg`);
});
