import { expect, test } from "vitest";
import { openSpeakingTown } from "../discord-town.ts";

const HISTORY = "GET /channels/:channel/messages";

test("D50: what somebody said who has left the server since is read like all else", async () => {
  const { discord, guild, general, inGeneral, account, createAccount } = await openSpeakingTown();
  const bob = await discord.user({ id: "100000000000000043", username: "bob" });
  await guild.joins(bob);
  await account.close();
  await discord.gateway.refuseResume();
  await bob.in(general).says("bye");
  await guild.leaves(bob);
  await inGeneral.says("he is gone");
  const second = createAccount({ cursor: account.cursor });
  await second.connect();
  expect(await second.receives(2)).toEqual(["bye", "he is gone"]);
});

test("D50: a channel that Discord never lets the bot read does not keep it from hearing the others", async () => {
  const { discord, guild, ada, inGeneral, account, createAccount } = await openSpeakingTown();
  const stage = await guild.createChannel({ name: "stage", kind: "text" });
  await account.close();
  await discord.gateway.refuseResume();
  await ada.in(stage).says("unheard");
  await inGeneral.says("one");
  const body = { message: "You lack permissions to perform that action", code: 50013 };
  const fault = { kind: "status", route: HISTORY, channelId: stage.id, status: 403, body, times: "always" } as const;
  await discord.faults.add(fault);
  const second = createAccount({ cursor: account.cursor });
  await second.connect();
  await inGeneral.says("two");
  expect(await second.receives(2)).toEqual(["one", "two"]);
});

test("I22: a limit that the gap's reading meets is waited for as long as Discord asks", async () => {
  const { discord, inGeneral, account, createAccount } = await openSpeakingTown();
  await account.close();
  await discord.gateway.refuseResume();
  await inGeneral.says("one");
  const body = { message: "Slow down", code: 40062, retry_after: 90 };
  await discord.faults.add({ kind: "status", route: HISTORY, status: 429, body });
  const second = createAccount({ cursor: account.cursor });
  await second.connect();
  await second.clock.awaitAlarm(90_000);
  expect(second.received).toEqual([]);
  second.passTime(90_000);
  expect(await second.receives(1)).toEqual(["one"]);
});
