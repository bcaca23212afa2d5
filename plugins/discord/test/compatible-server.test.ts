import { expect, test } from "vitest";
import { openDiscordTown } from "./discord-town.ts";

const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJpZCI6IjcwMDAwMDAwMDAwMDAwMDAwOSJ9.${"s".repeat(300)}`;

test("a server of others knows its bot by a token of another form", async () => {
  const { discord, guild, ada, createAccount } = await openDiscordTown();
  const bot = await discord.addBot({ token: JWT, username: "elm", id: "700000000000000009" });
  await guild.joins(bot);
  const account = createAccount({ config: { token: JWT } });
  await account.connect();
  await ada.dm(bot.id).says("hello");
  expect(await account.receives(1)).toEqual(["hello"]);
});
