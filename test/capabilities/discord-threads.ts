import { expect } from "vitest";
import { ADA_ID, BEN_ID } from "../stage/discord-town.ts";
import type { Capability } from "./capability-table.ts";
import { CALL, countCalls, findThread, openStand } from "./discord-stand.ts";

/** Sub-agents in threads of their own. */
export const THREAD_CAPABILITIES: readonly Capability[] = [
  {
    ability: "public threads",
    deed: "`/spawn --thread` in a channel, then a line without a mention in the thread",
    async check() {
      const stand = await openStand();
      const { inGeneral, ada, grove } = stand;
      await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
      await inGeneral.hears(/census[\s\S]*done/, { once: true });
      const thread = await findThread(stand);
      const inThread = ada.in(thread);
      await inThread.hears("heard: count the trees", { once: true });
      await inThread.says("and the birds");
      await inThread.hears("heard: and the birds", { once: true });
      await grove.until("the mark of the end", async () => (await thread.refresh()).name.startsWith("✅") || undefined);
      await grove.rests();
      expect([thread.kind, thread.name, thread.isArchived]).toEqual(["thread", "✅ census", false]);
      return `a \`${thread.kind}\` named “${thread.name}”; ${await countCalls(stand, "POST /channels/:channel/messages/:message/threads")}`;
    },
  },
  {
    ability: "threads that close",
    deed: "`/spawn --thread --mode run`",
    async check() {
      const stand = await openStand();
      await stand.inGeneral.says(`${CALL} /spawn --thread --mode run --label census count the trees`);
      await stand.inGeneral.hears(/census[\s\S]*done/, { once: true });
      const thread = await findThread(stand);
      await stand.grove.until("an archived thread", async () => (await thread.refresh()).isArchived || undefined);
      await stand.grove.rests();
      expect(thread.name).toBe("✅ census");
      return `“${thread.name}”, archived`;
    },
  },
  {
    ability: "private threads",
    deed: '`/spawn --thread` with `threadType: "private"`',
    async check() {
      const stand = await openStand({ account: { threadType: "private", allowFrom: [ADA_ID, BEN_ID] } });
      const { discord, guild, general, grove } = stand;
      // Ada owns the server and sees everything.
      const ben = await discord.user({ id: BEN_ID, username: "ben" });
      await guild.joins(ben);
      await ben.in(general).says(`${CALL} /spawn --thread --label census count the trees`);
      await ben.in(general).hears(/census[\s\S]*done/, { once: true });
      const thread = await findThread(stand);
      await ben.in(thread).hears("heard: count the trees", { once: true });
      await grove.rests();
      expect((await thread.refresh()).memberIds).toContain(ben.id);
      return `a \`${thread.kind}\` with Ben in it, who asked`;
    },
  },
  {
    ability: "forums",
    deed: "Ada opened a post that mentions the bot, and let a sub-agent work from there",
    async check() {
      const stand = await openStand();
      const { guild, ada, grove } = stand;
      const forum = await guild.createChannel({ name: "ideas", kind: "forum" });
      const post = await forum.createThread(ada, { name: "trees", text: `${CALL} how many?` });
      await ada.in(post).hears("heard: how many?", { once: true });
      await ada.in(post).says(`${CALL} /spawn --thread --label census count the trees`);
      await ada.in(post).hears(/census[\s\S]*done/, { once: true });
      const readNames = async () => (await forum.threads()).map(({ name }) => name).join();
      await grove.until("a post of its own", async () => (await readNames()) === "trees,✅ census" || undefined);
      await grove.rests();
      return "an answer in her post; a post of the sub-agent’s own";
    },
  },
  {
    ability: "an archived thread wakes up",
    deed: "Ada archived the thread, then wrote in it",
    async check() {
      const stand = await openStand();
      const { inGeneral, ada, grove } = stand;
      await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
      await inGeneral.hears(/census[\s\S]*done/, { once: true });
      await grove.rests();
      const thread = await findThread(stand);
      await thread.archives();
      await ada.in(thread).says("and the birds");
      await ada.in(thread).hears("heard: and the birds", { once: true });
      await grove.rests();
      expect((await thread.refresh()).isArchived).toBe(false);
      return "the same sub-agent answered, the thread is open again";
    },
  },
  {
    ability: "a missing permission is told by its name",
    deed: "`/spawn --thread` where the bot may not create threads",
    async check() {
      const stand = await openStand();
      const { inGeneral, general, guild, grove } = stand;
      await general.setPermissions(guild.id, { deny: ["CreatePublicThreads"] });
      const [bot] = (await guild.state()).botIds;
      await general.setPermissions(bot ?? "", { deny: ["CreatePublicThreads"] });
      await inGeneral.says(`${CALL} /spawn --thread count the trees`);
      await inGeneral.hears(/Create Public Threads/, { once: true });
      await grove.rests();
      expect(await guild.threads()).toHaveLength(0);
      return "a sentence that names *Create Public Threads*, no thread";
    },
  },
];
