import { expect, test } from "vitest";
import { openSpeakingTown } from "../discord-town.ts";

const MANY = 10_200;

test("more than may wait is left to Discord, which sends it again", async () => {
  const opened = Promise.withResolvers<void>();
  const { discord, inGeneral, account } = await openSpeakingTown({
    store: (messages) => (messages.length > 0 ? opened.promise : Promise.resolve()),
  });
  await discord.sayAll(Array.from({ length: MANY }, (_, at) => inGeneral.line(`${at}`)));
  opened.resolve();
  const texts = await account.receives(MANY);
  expect(texts).toEqual(Array.from({ length: MANY }, (_, at) => `${at}`));
});
