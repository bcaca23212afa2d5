import { expect, test } from "vitest";
import { buildWebhookPlace } from "../../src/webhook/webhook-place.ts";
import type { TestAccount } from "../test-account.ts";
import { TOKEN } from "../test-account.ts";
import { openWebhookTown, PATH } from "./webhook-town.ts";

const HEADER = "x-telegram-bot-api-secret-token";
const WRITTEN = {
  update_id: 100_000_000,
  message: { message_id: 1, date: 1, chat: { id: 42, type: "private" }, from: { id: 42 }, text: "one" },
};

async function post(account: TestAccount, body: BodyInit | null, given?: string, method = "POST"): Promise<Response> {
  const secret = given ?? (await readSecret());
  const init = { method, ...(body !== null && { body, duplex: "half" }), headers: { [HEADER]: secret } };
  return (await account.served.get(PATH)?.(new Request(`http://127.0.0.1${PATH}`, init))) ?? new Response();
}

async function readSecret(): Promise<string> {
  const config = {
    token: TOKEN,
    apiBaseUrl: "http://127.0.0.1",
    updates: "webhook",
    webhook: "delete",
    pace: "off",
    growingAnswers: "off",
  } as const;
  return buildWebhookPlace(config, "default").secret;
}

test("attack 10: nothing is read without the secret (T41)", async () => {
  const { webhook, ada, connect } = await openWebhookTown();
  const account = await connect();
  let isRead = false;
  const pull = () => {
    isRead = true;
  };
  for (const secret of ["", "guess", `${await readSecret()}x`]) {
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const { status, headers } = await post(account, body, secret);
    expect([status, headers.get("www-authenticate")]).toEqual([401, "X-Telegram-Bot-Api-Secret-Token"]);
  }
  expect(isRead).toBe(false);
  expect((await webhook.forges(WRITTEN)).status).toBe(401);
  expect((await webhook.forges(WRITTEN, "guess")).status).toBe(401);
  await ada.says("genuine");
  expect(await account.receives(1)).toEqual(["genuine"]);
});

test("T41: only what is posted is looked at", async () => {
  const account = await (await openWebhookTown()).connect();
  const { status, headers } = await post(account, null, undefined, "GET");
  expect([status, headers.get("allow")]).toEqual([405, "POST"]);
});

test("what a server of others posts with null for what is not there is read", async () => {
  const account = await (await openWebhookTown()).connect();
  const from = { id: 42, first_name: "Ada", last_name: null };
  const query = { id: "7", from, message: null, inline_message_id: null, chat_instance: "1", data: "b1" };
  const pressed = { update_id: WRITTEN.update_id, message: null, callback_query: query };
  const said = { ...WRITTEN, update_id: WRITTEN.update_id + 1, edited_message: null, callback_query: null };
  for (const body of [pressed, { ...said, message: { ...said.message, from, reply_to_message: null } }])
    expect((await post(account, JSON.stringify(body))).status).toBe(200);
  expect(account.received).toMatchObject([{ text: "one", sender: { displayName: "Ada" } }]);
  expect(account.logged.filter(({ level }) => level === "error")).toEqual([]);
});

test.each(["", "[]", "null", "{}", '{"update_id":"5"}', '{"update_id":1.5}', "[".repeat(100_000)])(
  "attack 12: %.20s is no update, and stops nothing",
  async (body) => {
    const { connect } = await openWebhookTown();
    const account = await connect();
    expect((await post(account, body)).status).toBe(400);
    expect((await post(account, JSON.stringify(WRITTEN))).status).toBe(200);
    expect(await account.receives(1)).toEqual(["one"]);
  },
);

test("attack 12: a key __proto__ changes nothing", async () => {
  const account = await (await openWebhookTown()).connect();
  const body = `{"__proto__":{"isAdmin":true},${JSON.stringify(WRITTEN).slice(1)}`;
  expect((await post(account, body)).status).toBe(200);
  expect("isAdmin" in {}).toBe(false);
});

test("attack 12: a body without end is not read to its end", async () => {
  const account = await (await openWebhookTown()).connect();
  let given = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    given += 1;
    controller.enqueue(new Uint8Array(64 * 1024));
  };
  expect((await post(account, new ReadableStream({ pull }))).status).toBe(413);
  expect(given).toBeLessThan(32);
});

test("attack 12: a body that never comes is waited for ten seconds", async () => {
  const account = await (await openWebhookTown()).connect();
  await account.clock.awaitAlarm();
  const answering = post(account, new ReadableStream());
  while (account.clock.pending < 2) await new Promise((resolve) => setImmediate(resolve));
  account.clock.advance(10_000);
  const answer = await answering;
  expect([answer.status, answer.headers.get("connection")]).toEqual([408, "close"]);
});

test("a body that breaks off is none", async () => {
  const account = await (await openWebhookTown()).connect();
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("the line broke")) });
  expect((await post(account, body)).status).toBe(400);
});

test("T39: a store that hangs is no confirmation; what it stores after all is known when it comes again", async () => {
  const { connect } = await openWebhookTown();
  const disk = Promise.withResolvers<void>();
  const account = await connect({ store: (messages) => (messages.length > 0 ? disk.promise : Promise.resolve()) });
  await account.clock.awaitAlarm();
  const answering = post(account, JSON.stringify(WRITTEN));
  while (account.clock.pending < 2) await new Promise((resolve) => setImmediate(resolve));
  account.clock.advance(25_000);
  const answer = await answering;
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
  disk.resolve();
  expect(await account.receives(1)).toEqual(["one"]);
});

test("T58: kinds that nobody knows are confirmed", async () => {
  const account = await (await openWebhookTown()).connect();
  expect((await post(account, '{"update_id":100000000,"guest_message":{}}')).status).toBe(200);
  expect((await post(account, '{"update_id":100000001,"message":{"chat":{"type":"planet"}}}')).status).toBe(200);
});

test("it is served no more once the account has ended", async () => {
  const account = await (await openWebhookTown()).connect();
  expect([...account.served.keys()]).toEqual([PATH]);
  await account.close();
  expect(account.served.size).toBe(0);
});
