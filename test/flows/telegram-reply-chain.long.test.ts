import { expect, test } from "vitest";
import { openTelegramGrove, readBindings } from "../stage/telegram-grove.ts";

const CENSUS = "@grove_bot /spawn --thread --label census count the trees";

test.each(["supergroup", "group", "forum without rights"] as const)(
  "T23: in a %s a sub-agent lives in the replies to a message of its own, and others do not hear of them",
  async (kind) => {
    const town = await openTelegramGrove({ hall: kind });
    const { hall, ada, bob, agent, grove } = town;
    const inHall = hall.member(ada);
    await inHall.says(CENSUS);
    const starter = await inHall.hears(/^🌱 “census” works here; write to it.\nReply to this message/, { once: true });
    const work = await inHall.hears("heard: count the trees", { once: true });
    await inHall.hears(/✅ census · done/, { once: true });
    await hall.member(bob).says("and the birds", { replyTo: starter.messageId });
    const birds = await inHall.hears("heard: and the birds", { once: true });
    await inHall.says("and the bees", { replyTo: birds.messageId });
    await inHall.hears("heard: and the bees", { once: true });
    await inHall.says("@grove_bot hello");
    await inHall.hears("heard: hello");
    await grove.rests();
    const messages = await inHall.messages();
    const find = (id: number) => messages.find(({ messageId }) => messageId === id);
    expect(find(work.messageId)?.replyTo).toBe(starter.messageId);
    const key = `agent:main:telegram:group:${hall.chatId}`;
    expect(agent.record.of(key).flatMap(({ input }) => input.map(({ text }) => text))).toEqual(["hello"]);
    await grove.until("the mark", () =>
      inHall.messages().then((all) => (all.some(({ text }) => text.startsWith("✅ census\n")) ? true : undefined)),
    );
  },
);

test("in a private chat without topics as well, also over a restart", async () => {
  const { ada, agent, grove } = await openTelegramGrove();
  await ada.says("/spawn --thread --label census count the trees");
  const starter = await ada.hears(/^🌱 “census” works here/, { once: true });
  const work = await ada.hears("heard: count the trees", { once: true });
  await ada.hears(/✅ census · done/, { once: true });
  await grove.restart();
  await ada.says("and the birds", { replyTo: starter.messageId });
  await ada.hears("heard: and the birds", { once: true });
  await ada.says("and the bees", { replyTo: work.messageId });
  await ada.hears("heard: and the bees", { once: true });
  await ada.says("hello");
  await ada.hears("heard: hello");
  await grove.rests();
  const heard = agent.record.of("agent:main:telegram:dm:7").flatMap(({ input }) => input.map(({ text }) => text));
  expect(heard).toEqual(["hello"]);
});

test("threads.fallback refuse: nothing is opened, and the one who asked reads what to do", async () => {
  const town = await openTelegramGrove({ hall: "supergroup", threads: { fallback: "refuse" } });
  const { hall, ada, grove } = town;
  const inHall = hall.member(ada);
  await inHall.says(CENSUS);
  await inHall.hears(/can_manage_topics.*threads\.fallback/s, { once: true });
  await ada.says("/spawn --thread --label census count the trees");
  await ada.hears(/switch topics in private chats on .* @BotFather/, { once: true });
  await grove.rests();
  expect(await inHall.messages()).toHaveLength(1);
  expect(await readBindings(town)).toEqual([]);
});

test("T12: a chain of replies goes on in the supergroup that its group becomes", async () => {
  const town = await openTelegramGrove({ hall: "group" });
  const { hall, ada, grove } = town;
  await hall.member(ada).says(CENSUS);
  await hall.member(ada).hears(/✅ census · done/);
  await grove.rests();
  const grown = await hall.upgrades(ada);
  const inHall = grown.member(ada);
  await grove.until("the move", async () =>
    (await readBindings(town))[0]?.address.includes(String(grown.chatId)) ? true : undefined,
  );
  await inHall.says("@grove_bot /subagents send census and the birds");
  const birds = await inHall.hears("heard: and the birds", { once: true });
  await inHall.says("and the bees", { replyTo: birds.messageId });
  await inHall.hears("heard: and the bees", { once: true });
  await grove.rests();
});

test("a chain that is released is nobody's: what answers it has its normal way", async () => {
  const town = await openTelegramGrove();
  const { ada, agent, grove } = town;
  await ada.says("/spawn --thread --label census count the trees");
  const starter = await ada.hears(/^🌱 “census” works here/);
  await ada.hears(/✅ census · done/);
  await ada.says("/unfocus", { replyTo: starter.messageId });
  await ada.hears(/census no longer gets its messages/);
  await ada.says("and the birds", { replyTo: starter.messageId });
  await ada.hears("heard: and the birds", { once: true });
  await grove.rests();
  expect(agent.record.of("agent:main:telegram:dm:7").at(-1)?.input[0]).toMatchObject({ text: "and the birds" });
  expect(await readBindings(town)).toEqual([]);
});
