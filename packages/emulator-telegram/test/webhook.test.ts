import { createServer, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createManualClock,
  createTelegramEmulator,
  type ManualClock,
  type TelegramEmulator,
  type TelegramUser,
} from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick } from "./bot-client.ts";

const FIRST = 100_000_000;
const HOUR_MS = 60 * 60 * 1000;

interface Post {
  readonly secret: string | undefined;
  readonly text: unknown;
  readonly id: unknown;
  answer(status: number, headers?: Record<string, string>): void;
}

let clock: ManualClock;
let emulator: TelegramEmulator;
let api: CallApi;
let ada: TelegramUser;
let url: string;
/** What the bot's server does with each post. */
let onPost: (post: Post) => void;
let posts: Post[];
let server: ReturnType<typeof createServer>;

beforeEach(async () => {
  clock = createManualClock();
  posts = [];
  onPost = ({ answer }) => answer(200);
  server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const answer: Post["answer"] = (status, headers) => void response.writeHead(status, headers).end();
      const secret = request.headers["x-telegram-bot-api-secret-token"]?.toString();
      const post = { secret, text: pick(body, "message", "text"), id: pick(body, "update_id"), answer };
      posts.push(post);
      onPost(post);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${Number(pick(server.address(), "port"))}/hook`;
  await start();
});
afterEach(async () => {
  await emulator.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function start(options: { readonly strictPacing?: boolean; readonly local?: boolean } = {}): Promise<void> {
  emulator = await createTelegramEmulator({ clock, random: () => 0, local: true, ...options });
  await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  ada = await emulator.user({ id: 7, firstName: "Ada" });
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function said(count: number): Promise<void> {
  await emulator.sayAll(Array.from({ length: count }, (_, at) => ({ user: ada, text: String(at + 1) })));
}

const webhook = () => emulator.webhook();

it("posts what people say with the secret, and forgets what was taken", async () => {
  await ada.says("before");
  await api("setWebhook", { url, secret_token: "s-3", allowed_updates: ["message"] });
  await ada.says("after");
  await webhook().settled(2);
  expect(posts.map(({ text, secret }) => [text, secret])).toEqual([
    ["before", "s-3"],
    ["after", "s-3"],
  ]);
  expect((await api("getWebhookInfo")).result).toEqual({
    url,
    has_custom_certificate: false,
    pending_update_count: 0,
    ip_address: "127.0.0.1",
    max_connections: 40,
    allowed_updates: ["message"],
  });
});

it("T39: brings what is not taken again, doubling the time from a second on", async () => {
  onPost = ({ answer }) => answer(posts.length < 4 ? 500 : 200);
  await api("setWebhook", { url });
  await ada.says("hello");
  for (const [attempts, waitMs] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ] as const) {
    await webhook().settled(attempts);
    clock.advance(waitMs - 1);
    expect((await webhook().deliveries()).length).toBe(attempts);
    clock.advance(1);
  }
  const deliveries = await webhook().settled(4);
  expect(deliveries.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
  expect((await api("getWebhookInfo")).result).toMatchObject({
    pending_update_count: 0,
    last_error_message: "Wrong response from the webhook: 500 Internal Server Error",
    last_error_date: Math.floor((clock.nowMs() - 4_000) / 1000),
  });
});

it("T39: waits as long as Retry-After says", async () => {
  onPost = ({ answer }) => (posts.length < 2 ? answer(503, { "retry-after": "30" }) : answer(200));
  await api("setWebhook", { url });
  await ada.says("hello");
  await webhook().settled(1);
  clock.advance(29_999);
  expect(posts.length).toBe(1);
  clock.advance(1);
  await webhook().settled(2);
});

it("T39: a webhook that says 410 for 23 hours is taken away, and nothing with it", async () => {
  onPost = ({ answer }) => answer(410, { "retry-after": "3600" });
  await api("setWebhook", { url });
  await ada.says("hello");
  for (let hour = 0; hour < 24; hour += 1) {
    await webhook().settled(hour + 1);
    expect(pick((await api("getWebhookInfo")).result, "url")).toBe(url);
    clock.advance(HOUR_MS);
  }
  await webhook().settled(25);
  expect(pick((await api("getWebhookInfo")).result, "url")).toBe("");
  expect(list((await api("getUpdates")).result).length).toBe(1);
});

it("T40: brings as many at once as there may be connections, and the others when one is free", async () => {
  onPost = () => undefined;
  await api("setWebhook", { url, max_connections: 2 });
  await said(3);
  while (posts.length < 2) await api("getMe");
  expect((await webhook().deliveries()).length).toBe(2);
  onPost = ({ answer }) => answer(200);
  posts[1]?.answer(200);
  await webhook().settled(2);
  expect(posts.map(({ text }) => text).toSorted()).toEqual(["1", "2", "3"]);
  posts[0]?.answer(200);
  await webhook().settled(3);
});

it("T40: a test brings updates out of their order, and again", async () => {
  await api("setWebhook", { url });
  await webhook().holds();
  await said(3);
  for (const at of [2, 0, 0]) expect(await webhook().delivers(FIRST + at)).toMatchObject({ status: 200 });
  expect(posts.map(({ text }) => text)).toEqual(["3", "1", "1"]);
  await webhook().flows();
  await webhook().settled(4);
  expect(posts.at(-1)?.text).toBe("2");
  await expect(webhook().delivers(1)).rejects.toMatchObject({ code: "unknown_update" });
});

it("T41: a test posts as somebody else", async () => {
  onPost = ({ secret, answer }) => answer(secret === "s" ? 200 : 401);
  await api("setWebhook", { url, secret_token: "s" });
  expect((await webhook().forges({ update_id: 1 })).status).toBe(401);
  expect((await webhook().forges({ update_id: 1 }, "guess")).status).toBe(401);
  expect((await webhook().forges("{}", "s")).status).toBe(200);
});

it.each([
  ["an address that is no https", { url: "http://e.org" }, "bad webhook: An HTTPS URL must be provided for webhook"],
  ["another port", { url: "https://e.org:81" }, "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"],
  ["this machine", { url: "https://127.0.0.1/x" }, "bad webhook: IP address 127.0.0.1 is reserved"],
  ["no address", { url: "https://" }, "invalid webhook URL specified"],
  [
    "a long secret",
    { url: "https://e.org", secret_token: "a".repeat(257) },
    "secret token contains unallowed characters",
  ],
])("T41: Telegram itself refuses a webhook with %s", async (_, params, reason) => {
  await emulator.close();
  await start({ local: false });
  expect((await api("setWebhook", params)).description).toBe(`Bad Request: ${reason}`);
});

describe("T33, T34: setting it", () => {
  it("T33: keeps what waits when it is deleted, for the next poll", async () => {
    await api("setWebhook", { url: "https://e.org/hook" });
    await ada.says("kept");
    expect((await webhook().deliveries()).length).toBe(0);
    await api("deleteWebhook");
    expect(list((await api("getUpdates")).result)).toHaveLength(1);
  });

  it("drops what waits where the bot says so", async () => {
    await ada.says("gone");
    await api("setWebhook", { url, drop_pending_updates: true });
    expect(pick((await api("getWebhookInfo")).result, "pending_update_count")).toBe(0);
  });

  it("leaves what was under way with the old one to the new one", async () => {
    onPost = () => undefined;
    await api("setWebhook", { url, secret_token: "old" });
    await ada.says("hello");
    while (posts.length < 1) await api("getMe");
    onPost = ({ answer }) => answer(200);
    await api("setWebhook", { url, secret_token: "new" });
    await webhook().settled(2);
    expect(posts.map(({ text, secret }) => [text, secret])).toEqual([
      ["hello", "old"],
      ["hello", "new"],
    ]);
  });

  it("T34: one that comes while another is verified ends it; within a second it is told to wait", async () => {
    await emulator.close();
    await start({ strictPacing: true });
    const first = api("setWebhook", { url });
    await emulator.called("getMe", 0);
    while ((await emulator.record({ method: "setWebhook" })).length < 1) await api("getMe");
    expect(await api("setWebhook", { url })).toMatchObject({
      status: 429,
      description: "Too Many Requests: retry after 1",
      parameters: { retry_after: 1 },
    });
    clock.advance(1_000);
    const second = api("setWebhook", { url: `${url}/2` });
    expect(await first).toMatchObject({ status: 409, description: "Conflict: terminated by other setWebhook" });
    clock.advance(1_500);
    expect(await second).toMatchObject({ ok: true });
  });
});

it("tells why nobody answers", async () => {
  await api("setWebhook", { url: "http://127.0.0.1:1/hook" });
  await ada.says("hello");
  await webhook().settled(1);
  expect(pick((await api("getWebhookInfo")).result, "last_error_message")).toBe("Connection refused");
});
