import { createTelegramEmulator, type TelegramEmulator } from "@banyan/emulator-telegram";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";

const ROSE = "1001:abcdefghijklmnopqrstuvwxyzABCDEFGHI";
const LILY = "1002:abcdefghijklmnopqrstuvwxyzABCDEFGHI";
const WRONG = "1003:wrongwrongwrongwrongwrongwrongwrong";

const Health = z.object({
  status: z.string(),
  accounts: z.record(z.string(), z.object({ state: z.string(), detail: z.string().optional() })),
});

async function openTwoBots(): Promise<TelegramEmulator> {
  const telegram = await createTelegramEmulator({});
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: ROSE, username: "rose_bot" });
  await telegram.addBot({ token: LILY, username: "lily_bot" });
  return telegram;
}

function withAccounts(telegram: TelegramEmulator, tokens: Readonly<Record<string, string>>) {
  const accounts = Object.entries(tokens).map(([name, token]) => [
    name,
    { token, apiBaseUrl: telegram.url, allowFrom: [7, 8] },
  ]);
  return { channels: { telegram: { accounts: Object.fromEntries(accounts) } } };
}

async function readHealth(url: string) {
  const answer = await fetch(`${url}/healthz`);
  return { code: answer.status, ...Health.parse(await answer.json()) };
}

test("each bot answers those who wrote to it, and the two never mix up one person's conversations", async () => {
  const telegram = await openTwoBots();
  const { runtimes, config, record } = createListener();
  const session = { dmScope: "per-account-channel-peer" };
  await openGrove({ runtimes, config: { ...config, session, ...withAccounts(telegram, { rose: ROSE, lily: LILY }) } });
  const atRose = await telegram.user({ id: 7, firstName: "Ada" }, 1001);
  const atLily = await telegram.user({ id: 7, firstName: "Ada" }, 1002);
  const bobAtLily = await telegram.user({ id: 8, firstName: "Bob" }, 1002);
  await Promise.all([atRose.says("to rose"), atLily.says("to lily"), bobAtLily.says("bob to lily")]);
  await atRose.hears("heard: to rose");
  await atLily.hears("heard: to lily");
  await bobAtLily.hears("heard: bob to lily");
  const texts = async (of: typeof atRose) => (await of.messages()).map(({ text }) => text);
  expect([await texts(atRose), await texts(atLily), await texts(bobAtLily)]).toEqual([
    ["heard: to rose"],
    ["heard: to lily"],
    ["heard: bob to lily"],
  ]);
  expect(record.attempts.map(({ spec }) => spec.sessionKey).toSorted()).toEqual([
    "agent:main:telegram:lily:dm:7",
    "agent:main:telegram:lily:dm:8",
    "agent:main:telegram:rose:dm:7",
  ]);
});

test("under per-channel-peer two bots share what one person says, and still each answers in its own chat", async () => {
  const telegram = await openTwoBots();
  const { runtimes, config, record } = createListener();
  await openGrove({ runtimes, config: { ...config, ...withAccounts(telegram, { rose: ROSE, lily: LILY }) } });
  const atRose = await telegram.user({ id: 7, firstName: "Ada" }, 1001);
  const atLily = await telegram.user({ id: 7, firstName: "Ada" }, 1002);
  await atRose.says("one");
  await atRose.hears("heard: one");
  await atLily.says("two");
  await atLily.hears("heard: two");
  expect(record.of("agent:main:telegram:dm:7").map(({ history }) => history.length)).toEqual([0, 2]);
  expect(await atRose.messages()).toHaveLength(1);
  expect(await atLily.messages()).toHaveLength(1);
});

test("a bot with a wrong token is shown as failed, without its token, and the other one runs on", async () => {
  const telegram = await openTwoBots();
  const { runtimes, config } = createListener();
  const accounts = withAccounts(telegram, { rose: ROSE, wilted: WRONG });
  const grove = await openGrove({ runtimes, config: { ...config, ...accounts } });
  const ada = await telegram.user({ id: 7, firstName: "Ada" }, 1001);
  await ada.says("hello");
  await ada.hears("heard: hello");
  const health = await readHealth(grove.open.gateway.url);
  expect(health).toMatchObject({
    code: 200,
    status: "ok",
    accounts: { "telegram/rose": { state: "running" }, "telegram/wilted": { state: "failed" } },
  });
  expect(health.accounts["telegram/wilted"]?.detail).toMatch(
    /401 "Unauthorized"; take the present token from @BotFather/,
  );
  expect(JSON.stringify(health) + grove.log.join("\n")).not.toContain("wrongwrong");
});

test("a bot whose token is revoked while it runs fails by itself: its answer waits, the other one goes on", async () => {
  const telegram = await openTwoBots();
  const { runtimes, config } = createListener();
  const accounts = withAccounts(telegram, { rose: ROSE, lily: LILY });
  const grove = await openGrove({ runtimes, config: { ...config, ...accounts } });
  const gate = await telegram.faults.hold({ method: "sendMessage", botId: 1001 });
  const ada = await telegram.user({ id: 7, firstName: "Ada" }, 1001);
  await ada.says("hello rose");
  await gate.reached();
  const refused = await telegram.faults.add({ kind: "unauthorized", botId: 1001, times: "always" });
  await gate.cut();
  await refused.met();
  await grove.until("rose to fail", () =>
    grove.open.gateway.health().accounts["telegram/rose"]?.state === "failed" ? true : undefined,
  );
  const bob = await telegram.user({ id: 8, firstName: "Bob" }, 1002);
  await bob.says("hello lily");
  await bob.hears("heard: hello lily");
  await telegram.faults.clear();
  await grove.restart();
  await ada.hears(/heard: hello rose$/);
  expect(grove.open.gateway.health().accounts["telegram/rose"]).toEqual({ state: "running" });
});
