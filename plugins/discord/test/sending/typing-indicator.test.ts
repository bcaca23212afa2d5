import { expect, test } from "vitest";
import { openSpeakingTown, type SpeakingTown } from "../discord-town.ts";
import { buildAddress } from "../test-account.ts";

const TYPING = "POST /channels/:channel/typing";
const START_MS = 300;
const REPEAT_MS = 8_000;

async function openTypingTown(): Promise<
  SpeakingTown & { readonly stop: () => void; pass(ms: number): Promise<void> }
> {
  const town = await openSpeakingTown();
  const { account, general } = town;
  const stop = account.connection.typing?.start(buildAddress(general.id)) ?? (() => undefined);
  const pass = async (ms: number): Promise<void> => {
    await account.clock.awaitAlarm(ms);
    account.passTime(ms);
  };
  return { ...town, stop, pass };
}

test("D61: it is shown again before Discord lets it go, until it is stopped", async () => {
  const { discord, account, stop, pass } = await openTypingTown();
  await pass(START_MS);
  await discord.called(TYPING, 1);
  await account.idles();
  await pass(REPEAT_MS);
  await discord.called(TYPING, 2);
  stop();
  account.passTime(60_000);
  expect(await discord.record({ route: TYPING })).toHaveLength(2);
});

test("D61: an answer that comes at once costs no call", async () => {
  const { discord, account, stop } = await openTypingTown();
  stop();
  account.passTime(60_000);
  expect(await discord.record({ route: TYPING })).toEqual([]);
});

test("D61: a refusal ends it, and nobody is bothered", async () => {
  const { discord, account, general, guild, pass } = await openTypingTown();
  await general.setPermissions(guild.id, { deny: ["ViewChannel"] });
  await pass(START_MS);
  await account.says(/no typing indicator/);
  account.passTime(60_000);
  expect(await discord.record({ route: TYPING })).toHaveLength(1);
  expect(account.reports).toEqual([]);
});

test("D61: it ends with the account", async () => {
  const { discord, account, pass } = await openTypingTown();
  await pass(START_MS);
  await discord.called(TYPING, 1);
  await account.close();
  account.passTime(60_000);
  expect(await discord.record({ route: TYPING })).toHaveLength(1);
});
