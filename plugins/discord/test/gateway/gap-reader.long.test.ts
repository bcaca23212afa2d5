import { expect, test } from "vitest";
import { openSpeakingTown, type SpeakingTown } from "../discord-town.ts";
import type { TestAccount, TestAccountOptions } from "../test-account.ts";

const HISTORY = "GET /channels/:channel/messages";
const HOURS = 3_600_000;

/** A bot that has heard "before", and was away since then; its session is gone. */
async function openGapTown(): Promise<
  SpeakingTown & { readonly comeBack: (options?: TestAccountOptions) => TestAccount }
> {
  const town = await openSpeakingTown();
  await town.inGeneral.says("before");
  await town.account.receives(1);
  await town.account.close();
  await town.discord.gateway.refuseResume();
  const comeBack = (options: TestAccountOptions = {}) =>
    town.createAccount({ cursor: town.account.cursor, ...options });
  return { ...town, comeBack };
}

/** What was said while the bot was away; "before" is known to the store. */
function listMissed({ received }: TestAccount): readonly string[] {
  return received.map(({ text }) => text).filter((text) => text !== "before");
}

test("D50: a long gap is read in pages, the oldest first", async () => {
  const { discord, inGeneral, comeBack } = await openGapTown();
  const texts = Array.from({ length: 250 }, (_, at) => `${at}`);
  await discord.sayAll(texts.map((text) => inGeneral.line(text)));
  const account = comeBack();
  await account.connect();
  await account.until("the gap", () => listMissed(account).length === texts.length);
  expect(listMissed(account)).toEqual(texts);
});

test("D50: what is read tells who said it, with the roles", async () => {
  const { guild, ada, inGeneral, comeBack } = await openGapTown();
  const role = await guild.createRole("gardeners");
  await guild.joins(ada, { roles: [role] });
  await inGeneral.says("hello");
  const account = comeBack();
  await account.connect();
  await account.until("the gap", () => listMissed(account).length === 1);
  const found = account.received.find(({ text }) => text === "hello");
  expect(found).toMatchObject({ guild: guild.id, addressed: false, sender: { id: ada.id, roles: [role] } });
});

test("D50: what is older than a week nobody waits for any more", async () => {
  const { discord, inGeneral, comeBack } = await openGapTown();
  await inGeneral.says("long ago");
  await discord.passTime(10 * 24 * HOURS);
  await inGeneral.says("just now");
  const account = comeBack();
  account.passTime(10 * 24 * HOURS);
  await account.connect();
  await account.until("the gap", () => listMissed(account).length > 0);
  expect(listMissed(account)).toEqual(["just now"]);
});

test("D50, D35: a history that cannot be read is read later, and what is said meanwhile waits its turn", async () => {
  const { discord, inGeneral, comeBack } = await openGapTown();
  await inGeneral.says("missed");
  await discord.faults.add({ kind: "status", route: HISTORY, status: 502, times: 2 });
  const account = comeBack();
  await account.connect();
  await account.reported("retrying");
  await inGeneral.says("after");
  for (const delayMs of [500, 1_000]) {
    await account.clock.awaitAlarm(delayMs);
    account.passTime(delayMs);
  }
  await account.until("all", () => listMissed(account).length === 2);
  expect(listMissed(account)).toEqual(["missed", "after"]);
  await account.reported("running");
});

test("D50: a life that ends while it reads leaves the rest to the next, also where that one resumes", async () => {
  const { discord, inGeneral, comeBack } = await openGapTown();
  const texts = Array.from({ length: 150 }, (_, at) => `${at}`);
  await discord.sayAll(texts.map((text) => inGeneral.line(text)));
  const gate = await discord.faults.hold({ route: HISTORY, skip: 1 });
  const second = comeBack();
  await second.connect();
  await gate.reached();
  const { cursor } = second;
  const heard = listMissed(second);
  await second.close();
  await gate.release();
  const third = comeBack({ cursor });
  await third.connect();
  const count = (): number => new Set([...heard, ...listMissed(third)]).size;
  await third.until("the rest", () => count() === texts.length);
  // The one that was refused, and the second life's, which the third went on with.
  expect((await discord.bot()).sessions).toHaveLength(2);
});

test("a channel that the bot may not read any more keeps none of the others waiting", async () => {
  const { guild, general, inGeneral, ada, comeBack } = await openGapTown();
  const garden = await guild.createChannel({ name: "garden" });
  await inGeneral.says("in the hall");
  await ada.in(garden).says("in the garden");
  await general.setPermissions(guild.id, { deny: ["ReadMessageHistory"] });
  const account = comeBack();
  await account.connect();
  await account.until("the garden", () => listMissed(account).includes("in the garden"));
  expect(listMissed(account)).toEqual(["in the garden"]);
});
