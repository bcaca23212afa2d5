import { createDiscordEmulator } from "@banyan/emulator-discord";
import { expect, test } from "vitest";
import { openDiscordTown, openSpeakingTown, SEND } from "../discord-town.ts";
import { BOT_ID } from "../test-account.ts";

const GATEWAY = "GET /gateway/bot";
const HOUR_MS = 3_600_000;

test("D15: a token that is none ends the start, and is tried no more", async () => {
  const { discord, createAccount } = await openDiscordTown();
  await discord.revokeBot();
  const account = createAccount();
  await expect(account.connect()).rejects.toMatchObject({
    class: "unauthorized",
    message: expect.stringContaining("developer portal"),
  });
  expect((await discord.record()).length).toBeLessThanOrEqual(2);
});

test("a network that is down ends the start for now, and nothing was sent", async () => {
  const { createAccount } = await openDiscordTown();
  const gone = await createDiscordEmulator();
  await gone.close();
  const account = createAccount({ config: { apiBaseUrl: gone.url } });
  await expect(account.connect()).rejects.toMatchObject({ class: "definite" });
});

test("D15: once a call is refused for its token no other is made", async () => {
  const { discord, say } = await openSpeakingTown();
  const body = { message: "401: Unauthorized", code: 0 };
  await discord.faults.add({ kind: "status", route: SEND, status: 401, body });
  await expect(say("one")).rejects.toMatchObject({ class: "unauthorized" });
  const before = (await discord.record()).length;
  await expect(say("two")).rejects.toMatchObject({ class: "unauthorized" });
  expect(await discord.record()).toHaveLength(before);
});

test("D15: reading with a token that was revoked fails the account, and is not tried again", async () => {
  const { discord, inGeneral, account, createAccount } = await openSpeakingTown();
  await inGeneral.says("one");
  await account.receives(1);
  await account.close();
  await discord.gateway.refuseResume();
  await inGeneral.says("two");
  const body = { message: "401: Unauthorized", code: 0 };
  const route = "GET /channels/:channel/messages";
  await discord.faults.add({ kind: "status", route, status: 401, body, times: "always" });
  const second = createAccount({ cursor: account.cursor });
  await second.connect();
  expect((await second.reported("failed")).error).toMatchObject({ class: "unauthorized" });
  second.passTime(HOUR_MS);
  expect(await discord.record({ route })).toHaveLength(1);
  expect(second.reports.map(({ state }) => state)).toEqual(["failed"]);
});

test("D41: a token that is revoked while the account listens ends it, with the way out", async () => {
  const { discord, account } = await openSpeakingTown();
  const before = (await discord.record({ route: GATEWAY })).length;
  await discord.revokeBot();
  const { error } = await account.reported("failed");
  expect(error).toMatchObject({ class: "unauthorized", message: expect.stringContaining("Reset Token") });
  account.passTime(HOUR_MS);
  expect(await discord.record({ route: GATEWAY })).toHaveLength(before);
});

test.each([
  ["D44", 4010, /start again/],
  ["D44", 4011, /more shards/],
  ["D44", 4012, /update Banyan/],
  ["D42", 4013, /intents are invalid/],
])("%s: after the close %i the account has failed, and says what to do", async (_, code, words) => {
  const { discord, account } = await openSpeakingTown();
  await discord.gateway.drop({ code });
  const { error } = await account.reported("failed");
  expect(error).toMatchObject({ class: "permanent", message: expect.stringMatching(words) });
  expect(account.reports.map(({ state }) => state)).toEqual(["failed"]);
});

test("D42, D62: an intent that is taken away later ends the account, and names the portal's switch", async () => {
  const { discord, account } = await openSpeakingTown();
  await discord.setBot({ intents: { messageContent: false } });
  await discord.gateway.invalidate({ resumable: false });
  const { error } = await account.reported("failed");
  expect(error?.message).toMatch(/4014.*Message Content Intent/);
});

test.each([true, false])(
  "D42, D43: without the intent it starts, and hears what mentions it (needs more: %s)",
  async (needsAllMessages) => {
    const { discord, inGeneral, inDm, createAccount } = await openDiscordTown();
    await discord.setBot({ intents: { messageContent: false } });
    const account = createAccount({ needsAllMessages });
    await account.connect();
    const warned = account.logged.filter(({ level }) => level === "warn").map(({ message }) => message);
    if (needsAllMessages) expect(warned).toEqual([expect.stringContaining("Message Content Intent")]);
    else expect(warned).toEqual([]);
    await inGeneral.says("to nobody");
    await inGeneral.says("to nobody again");
    await inGeneral.says(`<@${BOT_ID}> to you`);
    await inDm.says("in private");
    expect(await account.receives(2)).toEqual(["to you", "in private"]);
  },
);

test("D43: messages without their content are said once, and are nobody's prompt", async () => {
  const { discord, inGeneral, account } = await openSpeakingTown();
  await discord.setBot({ intents: { messageContent: false } });
  await inGeneral.says("to nobody");
  await inGeneral.says("to nobody again");
  await inGeneral.says(`<@${BOT_ID}> to you`);
  expect(await account.receives(1)).toEqual(["to you"]);
  expect(account.reports).toEqual([
    {
      state: "running",
      error: expect.objectContaining({ message: expect.stringContaining("Message Content Intent") }),
    },
  ]);
});

test("D51: a budget of sessions that is spent is waited for, and said", async () => {
  const { discord, inGeneral, createAccount } = await openDiscordTown();
  await discord.setBot({ startsLeft: 0 });
  const account = createAccount();
  const connected = account.connect();
  const { error } = await account.reported("retrying");
  expect(error?.message).toMatch(/used up.*24\.0 h/);
  account.passTime(10_000);
  await connected;
  expect((await discord.bot()).sessions).toEqual([]);
  await discord.passTime(24 * HOUR_MS);
  account.passTime(24 * HOUR_MS);
  await account.reported("running");
  await inGeneral.says("at last");
  expect(await account.receives(1)).toEqual(["at last"]);
});

test("D51: a session that can be resumed needs none of the budget", async () => {
  const { discord, inGeneral, account, createAccount } = await openSpeakingTown();
  await inGeneral.says("one");
  await account.receives(1);
  await account.close();
  await inGeneral.says("two");
  await discord.setBot({ startsLeft: 0 });
  const second = createAccount({ cursor: account.cursor });
  await second.connect();
  expect(await second.receives(1)).toEqual(["two"]);
  expect(second.reports).toEqual([]);
});

test("an outage of the gateway is said once, and what was written meanwhile is heard", async () => {
  const { discord, inGeneral, account } = await openSpeakingTown();
  await discord.gateway.outage();
  await discord.gateway.drop();
  await account.reported("retrying");
  await inGeneral.says("are you there?");
  await discord.gateway.outage(false);
  await account.clock.awaitAlarm(1_000);
  account.passTime(1_000);
  expect(await account.receives(1)).toEqual(["are you there?"]);
  await account.reported("running");
});

test.each([4000, 1011])(
  "a gateway that closes with %i before READY is tried less and less often, and the status names the code",
  async (code) => {
    const { discord, inGeneral, account } = await openSpeakingTown();
    await inGeneral.says("before");
    await account.receives(1);
    await discord.gateway.turnAway(code);
    await discord.gateway.drop();
    const { error } = await account.reported("retrying");
    expect(error?.message).toMatch(new RegExp(`closed with ${code} before READY`));
    // The first failure is followed by a try at once; from the second on each wait is twice as long.
    for (const waitMs of [1_000, 1_999]) {
      await account.clock.awaitAlarm(waitMs);
      account.passTime(waitMs);
    }
    await inGeneral.says("are you there?");
    await account.clock.awaitAlarm(3_998);
    await discord.gateway.turnAway();
    expect(account.reports.map(({ state }) => state)).toEqual(["retrying"]);
    account.passTime(3_998);
    expect(await account.receives(2)).toEqual(["before", "are you there?"]);
    await account.reported("running");
  },
);

test("a gateway that ends each session before READY is tried less and less often as well", async () => {
  const { discord, inGeneral, account } = await openSpeakingTown();
  await discord.gateway.turnAway(1000);
  await discord.gateway.drop();
  expect((await account.reported("retrying")).error?.message).toMatch(/closed with 1000 before READY/);
  await inGeneral.says("are you there?");
  await discord.gateway.turnAway();
  await account.clock.awaitAlarm(1_000);
  account.passTime(1_000);
  // It was the third session in a minute: these are spaced out as well.
  await account.clock.awaitAlarm(3_998);
  account.passTime(3_998);
  expect(await account.receives(1)).toEqual(["are you there?"]);
  await account.reported("running");
});

test("an account can be stopped while the gateway is down, before and after its start", async () => {
  const { discord, account, createAccount } = await openSpeakingTown();
  await discord.gateway.outage();
  await discord.gateway.drop();
  await account.reported("retrying");
  await account.close();
  const second = createAccount({ cursor: account.cursor });
  const connected = second.connect();
  await second.reported("retrying");
  second.passTime(10_000);
  await connected;
  await second.close();
  await discord.gateway.outage(false);
  const calls = (await discord.record()).length;
  for (const each of [account, second]) each.passTime(HOUR_MS);
  expect(await discord.record()).toHaveLength(calls);
  expect((await discord.bot()).isConnected).toBe(false);
});
