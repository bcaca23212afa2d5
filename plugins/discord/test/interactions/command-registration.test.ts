import { expect, test } from "vitest";
import { openSpeakingTown } from "../discord-town.ts";
import { COMMANDS, openCommandTown, REGISTER } from "./interaction-town.ts";

test("slash commands are registered once for each change of them", async () => {
  const { discord, account, createAccount } = await openCommandTown();
  await account.close();
  const second = createAccount({ cursor: account.cursor, commands: COMMANDS });
  await second.connect();
  await second.close();
  expect(await discord.record({ route: REGISTER })).toHaveLength(1);
  const third = createAccount({ cursor: second.cursor, commands: COMMANDS.slice(0, 1) });
  await third.connect();
  await third.says(/slash commands are registered/);
  const [, last] = await discord.record({ route: REGISTER });
  expect(last?.body).toMatchObject([{ name: "ask" }, { name: "status" }]);
});

test("what fails is said, stops nothing, and is tried at the next start", async () => {
  const town = await openSpeakingTown({ commands: COMMANDS });
  await town.account.close();
  await town.discord.faults.add({ kind: "status", route: REGISTER, status: 500 });
  const second = town.createAccount({ commands: COMMANDS });
  await second.connect();
  await second.says(/no slash commands, or old ones/);
  await second.close();
  const third = town.createAccount({ cursor: second.cursor, commands: COMMANDS });
  await third.connect();
  await third.says(/slash commands are registered/);
});
