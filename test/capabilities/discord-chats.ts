import { expect } from "vitest";
import { BEN_ID, BOT_ID } from "../stage/discord-town.ts";
import type { Capability } from "./capability-table.ts";
import { CALL, count, openStand, POST_MESSAGE } from "./discord-stand.ts";

/** Where people are heard, and when. */
export const CHAT_CAPABILITIES: readonly Capability[] = [
  {
    ability: "direct chats",
    deed: "Ada wrote to the bot",
    async check() {
      const { inDm, grove } = await openStand();
      await inDm.says("how many trees?");
      await inDm.hears("heard: how many trees?", { once: true });
      await grove.rests();
      const { kind } = await inDm.state();
      return `${count((await inDm.messages()).length, "answer")} in a \`${kind}\``;
    },
  },
  {
    ability: "channels of servers, by mention",
    deed: "in a channel Ada wrote a line, a line with a mention, an answer to the bot's message and a command",
    async check() {
      const { inGeneral, grove } = await openStand();
      await inGeneral.says("for nobody");
      await inGeneral.says(`${CALL} one`);
      const { messageId } = await inGeneral.hears("heard: one", { once: true });
      await inGeneral.says("two", { replyTo: messageId });
      await inGeneral.hears("heard: two", { once: true });
      await inGeneral.says(`${CALL} /whoami`);
      await inGeneral.hears(/100000000000000007/, { once: true });
      await grove.rests();
      const answers = (await inGeneral.messages()).length;
      expect(answers).toBe(3);
      return `${answers} answers to 4 lines`;
    },
  },
  {
    ability: "channels where everything is heard",
    deed: "the same line without a mention, with `groups.requireMention: false`",
    async check() {
      const { inGeneral, grove } = await openStand({ account: { groups: { policy: "open", requireMention: false } } });
      await inGeneral.says("for everybody");
      await inGeneral.hears("heard: for everybody", { once: true });
      await grove.rests();
      return `${count((await inGeneral.messages()).length, "answer")} to 1 line`;
    },
  },
  {
    ability: "only those who are let in",
    deed: "Ben, whom nobody let in, mentioned the bot and wrote to it",
    async check() {
      const { discord, guild, general, grove } = await openStand({ account: { groups: { policy: "disabled" } } });
      const ben = await discord.user({ id: BEN_ID, username: "ben" });
      await guild.joins(ben);
      await ben.in(general).says(`${CALL} hello`);
      await ben.dm().says("hello");
      await ben.dm().hears(/Your code is/, { once: true });
      await grove.rests();
      expect(await general.messages()).toHaveLength(0);
      return "a code in the direct chat, nothing in the channel";
    },
  },
  {
    ability: "edits",
    deed: "Ada corrected a line that still waited",
    async check() {
      const isOpen = Promise.withResolvers<void>();
      const { inDm, inGeneral, grove } = await openStand({
        script: (turn) => async () => {
          const text = turn.input.input.map((one) => one.text).join();
          if (text === "wait") await turn.waitFor(isOpen.promise);
          await turn.say(`heard: ${text}`);
          return undefined;
        },
      });
      await inDm.says("wait");
      await inDm.edits(await inDm.says("tree"), "three");
      // What is heard in a channel later stands behind it.
      await inGeneral.says(`${CALL} so far`);
      await inGeneral.hears("heard: so far", { once: true });
      isOpen.resolve();
      await inDm.hears("heard: three", { once: true });
      await grove.rests();
      return "the answer is to the corrected line";
    },
  },
  {
    ability: "attachments, as references",
    deed: "Ada sent a picture with a line",
    async check() {
      const told: string[] = [];
      const { inDm, grove } = await openStand({
        script: (turn) => async () => {
          told.push(JSON.stringify(turn.input.input));
          await turn.say("seen");
          return undefined;
        },
      });
      await inDm.says("what is this?", {
        attachments: [{ filename: "oak.png", contentType: "image/png", sizeBytes: 9 }],
      });
      await inDm.hears("seen", { once: true });
      await grove.rests();
      expect(told.join()).toContain("oak.png");
      return "the agent was told of `oak.png`, and nothing was downloaded";
    },
  },
  {
    ability: "nobody is pinged",
    deed: "the agent answered with @everyone and a mention of Ada",
    async check() {
      const { inGeneral, discord, ada, grove } = await openStand({
        script: (turn) => async () => {
          await turn.say(`@everyone <@100000000000000007> hello ${turn.index}`);
          return undefined;
        },
      });
      await inGeneral.says(`${CALL} greet us`);
      const { message } = await inGeneral.hears(/hello 0/, { once: true });
      await grove.rests();
      expect([message.mention_everyone, message.mentions.filter(({ id }) => id === ada.id && id !== BOT_ID)]).toEqual([
        false,
        [],
      ]);
      const bodies = (await discord.record({ route: POST_MESSAGE })).map(({ body }) => JSON.stringify(body));
      expect(bodies.every((body) => body.includes('"parse":[]'))).toBe(true);
      return "`allowed_mentions: { parse: [] }`, no mention in the message";
    },
  },
];
