import { expect, test } from "vitest";
import { openSpeakingTown } from "../discord-town.ts";

/** One more than may wait, and as many as the emulator sends again behind the first. */
const MANY = 10_001;

test("more than may wait is left to Discord, which sends it again", async () => {
  const opened = Promise.withResolvers<void>();
  const { discord, inGeneral, account } = await openSpeakingTown({
    store: (messages) => (messages.length > 0 ? opened.promise : Promise.resolve()),
  });
  await discord.sayAll(Array.from({ length: MANY }, (_, at) => inGeneral.line(`${at}`)));
  await account.says(/more of Discord's events wait than may/);
  opened.resolve();
  const texts = await account.receives(MANY);
  expect(texts).toEqual(Array.from({ length: MANY }, (_, at) => `${at}`));
});
