import { connectDiscordEmulator, type DiscordEmulator } from "@banyan/emulator-discord";
import { expect, onTestFinished, test } from "vitest";
import { DiscordDesk } from "../../src/dev/discord-desk.ts";

/** The desk, and the emulator behind it. */
async function openDesk(): Promise<{ desk: DiscordDesk; discord: DiscordEmulator }> {
  const desk = await DiscordDesk.open();
  const discord = await connectDiscordEmulator(String(desk.account.apiBaseUrl));
  onTestFinished(async () => {
    await discord.close();
    await desk.close();
  });
  return { desk, discord };
}

async function findChat(desk: DiscordDesk, title: string, person = "Ada") {
  const found = (await desk.chats()).find((chat) => chat.title === title && chat.people.includes(person));
  if (found === undefined) throw new Error(`There is no chat ${title}`);
  return found;
}

test("a server with a channel and a forum, and a direct chat with each person; a thread stands below its channel", async () => {
  const { desk, discord } = await openDesk();
  const general = await findChat(desk, "# general");
  const ada = await discord.user({ id: "100000000000000001", username: "ada" });
  const [guild] = await discord.guilds();
  expect(guild?.name).toBe("The Grove");
  await desk.say({ chat: (await findChat(desk, "# ideas")).id, person: "Ben", text: "Plant oaks\nor beeches" });
  const chats = await desk.chats();
  expect(chats.map(({ title, place, people }) => [title, place, people.join()])).toEqual([
    ["# general", "The Grove", "Ada,Ben"],
    ["# ideas", "The Grove", "Ada,Ben"],
    ["Plant oaks", "The Grove", "Ada,Ben"],
    ["Ada", undefined, "Ada"],
    ["Ben", undefined, "Ben"],
  ]);
  const [, ideas, post] = chats;
  expect(ideas?.messages).toMatchObject([
    {
      author: "Ben",
      cards: [{ title: "Plant oaks", text: "Plant oaks\nor beeches" }],
      buttons: [{ label: "Open post", chat: post?.id }],
    },
  ]);
  expect(post).toMatchObject({ parent: ideas?.id, messages: [{ author: "Ben", text: "Plant oaks\nor beeches" }] });
  await ada.in(general).says("hello");
  expect((await findChat(desk, "# general")).messages).toMatchObject([{ author: "Ada", text: "hello", isBot: false }]);
});

test("who writes @Banyan mentions the bot, and the page shows its name again", async () => {
  const { desk, discord } = await openDesk();
  const { id } = await findChat(desk, "# general");
  await desk.say({ chat: id, person: "Ada", text: "@banyan are you there?" });
  const [chat] = await discord.chats({ channelId: id });
  const { id: botId } = await discord.bot();
  expect(chat?.messages.map(({ message }) => message.mentions.map((one) => one.id))).toEqual([[botId]]);
  expect((await findChat(desk, "# general")).messages).toMatchObject([{ text: "@Banyan are you there?" }]);
});

test("what somebody cannot do is refused in a sentence", async () => {
  const { desk } = await openDesk();
  const { id: ideas } = await findChat(desk, "# ideas");
  await desk.say({ chat: ideas, person: "Ben", text: "Plant oaks" });
  const post = await findChat(desk, "Plant oaks");
  const refused = (person: string, chat: string) => desk.say({ chat, person, text: "hello" });
  await expect(refused("Mallory", post.id)).rejects.toThrow('No person here is called "Mallory"');
  await expect(refused("Ben", (await findChat(desk, "Ada")).id)).rejects.toThrow("Ben is in no chat");
  const [message] = post.messages;
  const press = { chat: post.id, person: "Ada", message: message?.id ?? "", button: "none" };
  await expect(desk.press(press)).rejects.toThrow("Ada pressed a button that no one answers");
});
