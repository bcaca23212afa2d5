import { expect, test } from "vitest";
import { OPENING, openForum } from "./forum.ts";

test("T24: a topic that somebody closes is let go where the bot may not open it again", async () => {
  const forum = await openForum();
  const { hall, ada, bot, account, address } = forum;
  const oaks = await hall.opensTopic("oaks", ada);
  await hall.promotes(bot, ada, { rights: { can_manage_topics: false } });
  await hall.closesTopic(oaks, ada);
  await hall.member(ada).says("@grove_bot done");
  await account.receives(1);
  expect(account.gone).toEqual([address(oaks)]);
});

test("T24: not where it may: it has the right, or it has opened the topic itself", async () => {
  const forum = await openForum();
  const { hall, ada, bot, account, threads, address } = forum;
  const oaks = await hall.opensTopic("oaks", ada);
  await hall.closesTopic(oaks, ada);
  await hall.reopensTopic(oaks, ada);
  await hall.renamesTopic(oaks, "elms", ada);
  await threads.open({ ...OPENING, parent: address() });
  const own = (await hall.history()).topics.at(-1)?.id ?? 0;
  await hall.closesTopic(own, ada);
  await hall.member(ada).says("@grove_bot one");
  await account.receives(1);
  await hall.reopensTopic(own, ada);
  await hall.promotes(bot, ada, { rights: { can_manage_topics: false } });
  await hall.closesTopic(own, ada);
  await hall.member(ada).says("@grove_bot two");
  expect(await account.receives(2)).toEqual(["one", "two"]);
  expect(account.gone).toEqual([]);
});

test("T24: nor where nobody can say: what is sent there finds out", async () => {
  const forum = await openForum();
  const { hall, ada, bot, account, telegram } = forum;
  const oaks = await hall.opensTopic("oaks", ada);
  await hall.promotes(bot, ada, { rights: { can_manage_topics: false } });
  await telegram.faults.add({ kind: "drop-request", method: "getChatMember" });
  await hall.closesTopic(oaks, ada);
  await hall.member(ada).says("@grove_bot one");
  expect(await account.receives(1)).toEqual(["one"]);
  expect(account.gone).toEqual([]);
});
