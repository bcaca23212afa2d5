import { expect, test } from "vitest";
import { EDIT, openSpeakingTown, SEND, type SpeakingTown } from "../discord-town.ts";
import { buildAddress, type TestAccount } from "../test-account.ts";

const FIRST_MS = 1_500;
const NEXT_MS = 2_000;
const TURN = { deliveryId: "answer", turnId: "turn-1" } as const;
const DELETE = "DELETE /channels/:channel/messages/:message";

/** A turn's answer as it grows in #general. */
function watchGrowth({ general, inGeneral }: SpeakingTown, account: TestAccount, turnId: string = TURN.turnId) {
  const address = buildAddress(general.id);
  return {
    async shows(textSoFar: string, delayMs: number = NEXT_MS): Promise<string> {
      account.connection.progress?.update({ turnId, address, textSoFar });
      await account.clock.awaitAlarm(delayMs);
      account.passTime(delayMs);
      return (await inGeneral.hears(`${textSoFar} ▍`)).messageId;
    },
    ends: () => account.connection.progress?.end({ turnId, address }),
  };
}

test("an answer appears while it grows, and its delivery is the same message", async () => {
  const town = await openSpeakingTown();
  const answer = watchGrowth(town, town.account);
  const messageId = await answer.shows("Once", FIRST_MS);
  expect(await answer.shows("Once upon")).toBe(messageId);
  answer.ends();
  expect(await town.say("Once upon a time", TURN)).toBe(messageId);
  const [message, ...more] = await town.general.messages();
  expect([message?.text, more]).toEqual(["Once upon a time", []]);
  town.account.passTime(60_000);
  expect(await town.discord.record({ route: DELETE })).toEqual([]);
});

test("a short answer is sent whole, and nothing is shown of it before", async () => {
  const { discord, account, general, say } = await openSpeakingTown();
  account.connection.progress?.update({ turnId: TURN.turnId, address: buildAddress(general.id), textSoFar: "No" });
  await say("No.", TURN);
  account.passTime(60_000);
  expect(await discord.record({ route: SEND })).toHaveLength(1);
});

test("words that come fast are one edit, of the newest", async () => {
  const town = await openSpeakingTown();
  const answer = watchGrowth(town, town.account);
  await answer.shows("1", FIRST_MS);
  const address = buildAddress(town.general.id);
  for (const textSoFar of ["1 2", "1 2 3", "1 2 3 4"])
    town.account.connection.progress?.update({ turnId: TURN.turnId, address, textSoFar });
  await answer.shows("1 2 3 4 5");
  expect(await town.discord.record({ route: EDIT })).toHaveLength(1);
});

test("after a death between draft and delivery the new life goes on in the same message", async () => {
  const town = await openSpeakingTown();
  const messageId = await watchGrowth(town, town.account).shows("Once", FIRST_MS);
  const { cursor } = town.account;
  await town.account.close();
  const second = town.createAccount({ cursor });
  await second.connect();
  expect(await watchGrowth(town, second).shows("Once more", FIRST_MS)).toBe(messageId);
  expect(await town.say("Once more upon a time", TURN, second)).toBe(messageId);
  expect(await town.general.messages()).toHaveLength(1);
});

test("also where the answer to the draft's own sending was lost, after the nonce's time", async () => {
  const town = await openSpeakingTown();
  const { discord, account, general } = town;
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  const messageId = await watchGrowth(town, account).shows("Once", FIRST_MS);
  const { cursor } = account;
  await account.close();
  await discord.passTime(600_000);
  const second = town.createAccount({ cursor });
  second.passTime(600_000);
  await second.connect();
  expect(await town.say("Once upon a time", TURN, second)).toBe(messageId);
  expect(await general.messages()).toHaveLength(1);
});

test("a delivery that is made again, its answer lost, edits the same message again", async () => {
  const town = await openSpeakingTown();
  const messageId = await watchGrowth(town, town.account).shows("Once", FIRST_MS);
  await town.discord.faults.add({ kind: "drop-answer", route: EDIT });
  await expect(town.say("Once upon a time", TURN)).rejects.toMatchObject({ class: "ambiguous" });
  const { cursor } = town.account;
  await town.account.close();
  const second = town.createAccount({ cursor });
  await second.connect();
  second.passTime(600_000);
  const again = { ...TURN, attempt: 2, mayHaveArrived: true, createdAt: Date.now() } as const;
  expect(await town.say("Once upon a time", again, second)).toBe(messageId);
  expect((await town.general.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
});

test.each([
  ["that ends without one", 30_000],
  ["that another life began and nobody goes on with", 600_000],
])("what a turn showed %s is taken away", async (kind, delayMs) => {
  const town = await openSpeakingTown();
  const answer = watchGrowth(town, town.account);
  await answer.shows("Let me see", FIRST_MS);
  let { account } = town;
  if (delayMs === 30_000) answer.ends();
  else {
    const { cursor } = account;
    await account.close();
    account = town.createAccount({ cursor });
    await account.connect();
  }
  await account.clock.awaitAlarm(delayMs);
  account.passTime(delayMs);
  await town.discord.called(DELETE);
  expect([kind, await town.general.messages()]).toEqual([kind, []]);
});

test("a long answer begins in its draft, and its other parts stand below", async () => {
  const town = await openSpeakingTown();
  const messageId = await watchGrowth(town, town.account).shows("one", FIRST_MS);
  const second = { ...TURN, part: 1, of: 2 } as const;
  expect(await town.say("one", { ...TURN, of: 2 })).toBe(messageId);
  expect(await town.say("two", second)).not.toBe(messageId);
  expect((await town.general.messages()).map(({ text }) => text)).toEqual(["one", "two"]);
});

test("a second message of the same turn is a message of its own", async () => {
  const town = await openSpeakingTown();
  const messageId = await watchGrowth(town, town.account).shows("one", FIRST_MS);
  expect(await town.say("one", TURN)).toBe(messageId);
  expect(await town.say("two", { ...TURN, deliveryId: "another" })).not.toBe(messageId);
});

test("D19: where somebody deleted the draft the answer is sent", async () => {
  const town = await openSpeakingTown();
  const { ada, guild, inGeneral } = town;
  const role = await guild.createRole("moderators", { permissions: ["ManageMessages"] });
  await guild.joins(ada, { roles: [role] });
  const messageId = await watchGrowth(town, town.account).shows("Once", FIRST_MS);
  await inGeneral.deletes(messageId);
  expect(await town.say("Once upon a time", TURN)).not.toBe(messageId);
  await inGeneral.hears("Once upon a time", { once: true });
});

test("D30: a draft too old to be edited goes, and the answer is a new message", async () => {
  const town = await openSpeakingTown();
  const messageId = await watchGrowth(town, town.account).shows("Once", FIRST_MS);
  const body = { message: "Maximum number of edits to messages older than 1 hour reached", code: 30046 };
  const refused = { ...body, retry_after: 0.5 };
  await town.discord.faults.add({ kind: "status", route: EDIT, status: 429, body: refused, times: "always" });
  expect(await town.say("Once upon a time", TURN)).not.toBe(messageId);
  expect((await town.general.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
  expect(await town.discord.record({ route: EDIT })).toHaveLength(1);
});

test.each([
  ["D17", 403, 50013],
  ["D16", 403, 50001],
  ["D23", 403, 160005],
])(
  "%s: a draft whose edit is refused (%i, %i) goes, and the answer, a card as well, is a new message",
  async (_, status, code) => {
    const town = await openSpeakingTown();
    const messageId = await watchGrowth(town, town.account).shows("Once", FIRST_MS);
    await town.discord.faults.add({
      kind: "status",
      route: EDIT,
      status,
      body: { message: "No", code },
      times: "always",
    });
    expect(await town.say("Once upon a time", TURN)).not.toBe(messageId);
    expect((await town.general.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
  },
);

test("D17: also where the draft cannot be deleted", async () => {
  const town = await openSpeakingTown();
  await watchGrowth(town, town.account).shows("Once", FIRST_MS);
  const body = { message: "Missing Permissions", code: 50013 };
  for (const route of [EDIT, DELETE])
    await town.discord.faults.add({ kind: "status", route, status: 403, body, times: "always" });
  await town.say("Once upon a time", TURN);
  expect((await town.general.messages()).map(({ text }) => text)).toEqual(["Once ▍", "Once upon a time"]);
});

test("D17: a draft that an earlier attempt may have edited and that stays is unclear, not sent a second time", async () => {
  const town = await openSpeakingTown();
  await watchGrowth(town, town.account).shows("Once", FIRST_MS);
  await town.discord.faults.add({ kind: "drop-answer", route: EDIT });
  await expect(town.say("Once upon a time", TURN)).rejects.toMatchObject({ class: "ambiguous" });
  const body = { message: "Missing Permissions", code: 50013 };
  for (const route of [EDIT, DELETE])
    await town.discord.faults.add({ kind: "status", route, status: 403, body, times: "always" });
  await expect(town.say("Once upon a time", TURN)).rejects.toMatchObject({ class: "ambiguous" });
  expect((await town.general.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
});

test("D32: an answer that moderation refuses leaves no half of itself behind", async () => {
  const town = await openSpeakingTown();
  await watchGrowth(town, town.account).shows("You", FIRST_MS);
  await town.guild.rules({ blockedWords: ["fool"] });
  await expect(town.say("You fool", TURN)).rejects.toMatchObject({ class: "permanent" });
  expect(await town.general.messages()).toEqual([]);
});

test("an answer that comes while its draft is being taken away is not taken with it", async () => {
  const town = await openSpeakingTown();
  const { discord, account, general } = town;
  const answer = watchGrowth(town, account);
  await answer.shows("Once", FIRST_MS);
  answer.ends();
  const gate = await discord.faults.hold({ route: DELETE });
  await account.clock.awaitAlarm(30_000);
  account.passTime(30_000);
  await gate.reached();
  const said = town.say("Once upon a time", TURN);
  for (const text of ["one", "two", "three"]) await town.say(text);
  expect(await discord.record({ route: EDIT })).toEqual([]);
  await gate.release();
  const platformId = await said;
  expect((await general.messages()).at(-1)).toMatchObject({ messageId: platformId, text: "Once upon a time" });
});

test("an answer that is just taking its draft's place is not taken away as one that has no end", async () => {
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  const town = await openSpeakingTown({ store: async () => (isHeld ? held.promise : undefined) });
  const { discord, account, general } = town;
  const answer = watchGrowth(town, account);
  const messageId = await answer.shows("Once", FIRST_MS);
  answer.ends();
  await account.clock.awaitAlarm(30_000);
  isHeld = true;
  const said = town.say("Once upon a time", TURN);
  await new Promise((resolve) => setImmediate(resolve));
  account.passTime(30_000);
  held.resolve();
  expect(await said).toBe(messageId);
  await account.idles();
  expect(await discord.record({ route: DELETE })).toEqual([]);
  expect((await general.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
});

test("two answers that grow in one channel are never taken for one another after a death", async () => {
  const town = await openSpeakingTown();
  const { discord, account, general } = town;
  const other = await watchGrowth(town, account, "turn-2").shows("Twice", FIRST_MS);
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  const messageId = await watchGrowth(town, account).shows("Once", FIRST_MS);
  await account.close();
  const second = town.createAccount({ cursor: account.cursor });
  await second.connect();
  expect(await town.say("Once upon a time", TURN, second)).toBe(messageId);
  expect(await town.say("Twice told", { deliveryId: "other", turnId: "turn-2" }, second)).toBe(other);
  expect((await general.messages()).map(({ text }) => text)).toEqual(["Twice told", "Once upon a time"]);
});

test("what cannot be shown costs the answer nothing", async () => {
  const town = await openSpeakingTown();
  const { discord, account, general } = town;
  await discord.faults.add({ kind: "status", route: SEND, status: 500, times: 1 });
  account.connection.progress?.update({ turnId: TURN.turnId, address: buildAddress(general.id), textSoFar: "Once" });
  account.passTime(FIRST_MS);
  await account.says(/could not be shown/);
  await town.say("Once upon a time", TURN);
  expect((await general.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
});
