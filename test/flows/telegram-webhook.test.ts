import { connect } from "node:net";
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { expect, onTestFinished, test } from "vitest";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { findFreePort } from "../stage/free-port.ts";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";

const SESSION = "agent:main:telegram:dm:7";
const SECRET = "spring-2027";
const PATH = "/telegram/default/webhook";

async function openHook() {
  const telegram = await createTelegramEmulator({ local: true });
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const agent = createListener();
  const build = (account: object) => ({
    ...agent.config,
    server: { port },
    channels: { telegram: { accounts: { default: account } } },
  });
  const posted = build({ updates: "webhook", webhookUrl: url, webhookSecret: SECRET });
  const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: telegram.url, TELEGRAM_ALLOW_FROM: "7" };
  const grove = await openGrove({ env, runtimes: agent.runtimes, config: posted });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await telegram.called("setWebhook");
  return { telegram, grove, ada, env, url, posted, polled: build({}), record: agent.record };
}

test("a person writes, Telegram posts it, and gets one answer", async () => {
  const { telegram, grove, ada } = await openHook();
  for (const word of ["one", "two", "three"]) await ada.says(word);
  for (const word of ["one", "two", "three"]) await ada.hears(`heard: ${word}`);
  expect(await ada.messages()).toHaveLength(3);
  await grove.until("all to be confirmed", async () =>
    (await telegram.bot()).pendingUpdates === 0 ? true : undefined,
  );
  expect((await telegram.webhook().deliveries()).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await telegram.record({ method: "getUpdates" })).toEqual([]);
});

test("what was written while the gateway was away is brought when it is back, and answered once", async () => {
  const { telegram, grove, ada } = await openHook();
  await ada.says("before");
  await ada.hears("heard: before");
  await grove.stop();
  await ada.says("meanwhile");
  await telegram.webhook().settled(2);
  expect((await telegram.bot()).pendingUpdates).toBe(1);
  await grove.restart();
  await telegram.passTime(2_000);
  await ada.hears("heard: meanwhile", { once: true });
  expect((await telegram.record({ method: "setWebhook" })).length).toBe(1);
});

test("what was stored and not confirmed comes again, and is answered once", async () => {
  const { telegram, grove, ada, env, posted, record } = await openHook();
  await grove.stop();
  let isCutOff = true;
  const faultPoint = (point: string) => {
    if (point === "T0.after" && isCutOff) throw new Error("cut off between storing and confirming");
  };
  await ada.says("hello");
  await grove.restart({ env, config: posted, ports: { faultPoint } });
  const ended = (status: number) => async () => {
    const deliveries = await telegram.webhook().deliveries();
    // Telegram waits a minute for an answer, and none is to be cut short.
    if (deliveries.every(({ isSettled }) => isSettled)) await telegram.passTime(1_000);
    return deliveries.some((delivery) => delivery.status === status) ? true : undefined;
  };
  await grove.until("Telegram to be refused", ended(503));
  isCutOff = false;
  await grove.until("Telegram to be told", ended(200));
  await grove.restart({ ports: {} });
  await ada.hears("heard: hello", { once: true });
  await grove.rests();
  expect(record.of(SESSION)).toHaveLength(1);
});

test("an account goes from a webhook to polling and back, and loses nothing on the way", async () => {
  const { telegram, grove, ada, polled, posted } = await openHook();
  await ada.says("posted");
  await ada.hears("heard: posted");
  await grove.stop();
  await ada.says("between");
  await grove.restart({ config: polled });
  await ada.hears("heard: between", { once: true });
  expect(grove.log.join("\n")).toMatch(/it was deleted, because this account polls/);
  await ada.says("polled");
  await ada.hears("heard: polled");
  await grove.stop();
  await ada.says("once more");
  await grove.restart({ config: posted });
  await ada.hears("heard: once more", { once: true });
  await ada.says("posted again");
  await ada.hears("heard: posted again");
  expect(await ada.messages()).toHaveLength(5);
  expect((await telegram.record({ method: "deleteWebhook" })).map(({ params }) => params)).toEqual([
    { drop_pending_updates: false },
  ]);
});

test("attack 10: a post without the secret is refused and not stored", async () => {
  const { telegram, grove, ada, url } = await openHook();
  const chat = { id: 7, type: "private" };
  const message = { message_id: 99, date: Math.floor(Date.now() / 1000), chat, from: { id: 7 }, text: "forged" };
  const webhook = telegram.webhook();
  for (const secret of [undefined, "", "spring-2028"])
    expect((await webhook.forges({ update_id: 1, message }, secret)).status).toBe(401);
  const answer = await fetch(url + PATH, { method: "POST", body: "x".repeat(5_000_000) }).catch(() => undefined);
  expect(answer?.status ?? 401).toBe(401);
  await ada.says("genuine");
  await ada.hears("heard: genuine");
  expect(await grove.read((read) => read.lane(SESSION))).toMatchObject({ waiting: 0 });
  expect(await ada.messages()).toHaveLength(1);
  expect(grove.log.join("\n")).not.toContain(SECRET);
});

test("attack 12: a body that is too large or too slow is not taken", async () => {
  const { ada, url } = await openHook();
  const headers = { "x-telegram-bot-api-secret-token": SECRET };
  const large = await fetch(url + PATH, { method: "POST", headers, body: "x".repeat(1_048_577) });
  expect(large.status).toBe(413);
  const slow = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void slow.destroy());
  const head = `POST ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-telegram-bot-api-secret-token: ${SECRET}\r\n`;
  slow.write(`${head}content-length: 500\r\n\r\n{"update_id":`);
  await ada.says("hello");
  await ada.hears("heard: hello");
});
