import { afterEach, beforeEach, expect, it } from "vitest";
import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick, readAnswer, TOKEN } from "./bot-client.ts";

const MIB = 1024 * 1024;

let emulator: TelegramEmulator;
let api: CallApi;
let ada: TelegramUser;

beforeEach(async () => {
  emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  ada = await emulator.user({ id: 7, firstName: "Ada" });
  await ada.starts();
});
afterEach(() => emulator.close());

async function readMessages(): Promise<readonly unknown[]> {
  const { result } = await api("getUpdates", { limit: 100 });
  return list(result).map((update) => pick(update, "message"));
}

function download(path: unknown, token: string = TOKEN): Promise<Response> {
  return fetch(`${emulator.url}/file/bot${token}/${String(path)}`);
}

async function upload(method: string, fields: Readonly<Record<string, string | File>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return readAnswer(await fetch(`${emulator.url}/bot${TOKEN}/${method}`, { method: "POST", body: form }));
}

it("a document comes with its name, type and size, and its bytes are fetched by a link", async () => {
  await ada.sendsDocument({ name: "oaks.txt", mimeType: "text/plain", content: "two öaks" }, "look");
  const [message] = await readMessages();
  expect(message).toMatchObject({
    caption: "look",
    document: { file_name: "oaks.txt", mime_type: "text/plain", file_size: 9 },
  });
  const { result } = await api("getFile", { file_id: pick(message, "document", "file_id") });
  expect(result).toMatchObject({ file_size: 9, file_path: expect.stringMatching(/^documents\/file_\d+\.txt$/) });
  const answer = await download(pick(result, "file_path"));
  expect([answer.headers.get("content-length"), await answer.text()]).toEqual(["9", "two öaks"]);
});

it("T46: a link is good for an hour, and only behind a getFile and with the token", async () => {
  await ada.sendsDocument({ content: "x" });
  const [message] = await readMessages();
  const file = { file_id: pick(message, "document", "file_id") };
  expect((await download("documents/file_1.pdf")).status).toBe(404);
  const path = pick((await api("getFile", file)).result, "file_path");
  expect((await download(path)).status).toBe(200);
  expect((await download(path, "4242:other")).status).toBe(401);
  await emulator.passTime(60 * 60 * 1000);
  expect((await download(path)).status).toBe(404);
  await api("getFile", file);
  expect((await download(path)).status).toBe(200);
});

it("T46, T48: a file over 20 MB and an id that is none have no link", async () => {
  await ada.sendsDocument({ sizeBytes: 20 * MIB + 1 });
  const [message] = await readMessages();
  const { description } = await api("getFile", { file_id: pick(message, "document", "file_id") });
  expect(description).toBe("Bad Request: file is too big");
  expect(await api("getFile", { file_id: "nothing" })).toMatchObject({
    status: 400,
    description: "Bad Request: wrong file_id or the file is temporarily unavailable",
  });
});

it("T49: an album is as many messages with one name and one caption, also where a piece comes late", async () => {
  await ada.sendsAlbum([{}, { kind: "video" }], "both");
  await ada.sendsAlbum([{}], "", "album of both");
  const messages = await readMessages();
  expect(messages.map((message) => pick(message, "media_group_id"))).toEqual(Array(3).fill("album of both"));
  expect(messages.map((message) => pick(message, "caption"))).toEqual(["both", undefined, undefined]);
  expect(Object.keys(Object(messages[1]))).toContain("video");
});

it("a bot uploads a document, which a person opens; its id sends it once more", async () => {
  const sent = await upload("sendDocument", { chat_id: "7", document: new File(["wörds"], "a.txt"), caption: "here" });
  expect(sent).toMatchObject({ ok: true });
  const heard = await ada.hearsFile("here");
  expect({ ...heard, text: heard.bytes.toString() }).toMatchObject({ kind: "document", name: "a.txt", text: "wörds" });
  await api("sendDocument", { chat_id: 7, document: pick(sent.result, "document", "file_id") });
  expect((await ada.hearsFile()).bytes.toString()).toBe("wörds");
  const [first] = await emulator.record({ method: "sendDocument" });
  expect(first?.params).toMatchObject({ chat_id: "7", document: { upload: "a.txt", sizeBytes: 6 } });
});

it("a bot sends an album of uploads", async () => {
  const media = JSON.stringify([
    { type: "document", media: "attach://one", caption: "both" },
    { type: "document", media: "attach://two" },
  ]);
  const files = { one: new File(["1"], "1.txt"), two: new File(["2"], "2.txt") };
  expect(list((await upload("sendMediaGroup", { chat_id: "7", media, ...files })).result)).toHaveLength(2);
  expect((await ada.hearsFile("both")).bytes.toString()).toBe("1");
  expect((await ada.hearsFile()).bytes.toString()).toBe("2");
  const alone = JSON.stringify([{ type: "photo", media: "https://e.org/a.jpg" }]);
  expect((await upload("sendMediaGroup", { chat_id: "7", media: alone })).ok).toBe(false);
});

it("T47: an upload over 50 MB and a photo over 10 MB are refused, and so are an empty and an unknown file", async () => {
  const large = new File([new Uint8Array(51 * MIB)], "large.bin");
  expect(await upload("sendDocument", { chat_id: "7", document: large })).toMatchObject({
    status: 413,
    description: "Request Entity Too Large",
  });
  const photo = new File([new Uint8Array(10 * MIB + 1)], "large.jpg");
  expect((await upload("sendPhoto", { chat_id: "7", photo })).description).toContain("too big for a photo");
  expect((await upload("sendDocument", { chat_id: "7", document: photo })).ok).toBe(true);
  const nothing = await upload("sendDocument", { chat_id: "7", document: new File([], "a.txt") });
  expect(nothing.description).toBe("Bad Request: file must be non-empty");
  expect((await api("sendDocument", { chat_id: 7, document: "what" })).description).toContain("wrong remote file");
});

it("T3: a caption over 1024 units is refused with every kind of file", async () => {
  const caption = "x".repeat(1025);
  const media = JSON.stringify([
    { type: "photo", media: "https://e.org/a.jpg", caption },
    { type: "photo", media: "x" },
  ]);
  for (const [method, file] of [
    ["sendPhoto", { photo: "https://e.org/a.jpg", caption }],
    ["sendDocument", { document: "https://e.org/a.jpg", caption }],
    ["sendMediaGroup", { media }],
  ] as const) {
    const { description } = await api(method, { chat_id: 7, ...file });
    expect(description, method).toBe("Bad Request: message caption is too long");
  }
});
