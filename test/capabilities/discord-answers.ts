import { expect } from "vitest";
import type { Capability } from "./capability-table.ts";
import { CALL, count, findThread, openStand, POST_MESSAGE } from "./discord-stand.ts";

const LONG = ["```js", ...Array.from({ length: 120 }, (_, at) => `plant({ row: ${at}, tree: "oak" });`), "```"].join(
  "\n",
);

/** How answers look. */
export const ANSWER_CAPABILITIES: readonly Capability[] = [
  {
    ability: "growing answers",
    deed: "the agent wrote its answer in two pieces, with a pause between them",
    async check() {
      const goOn = Promise.withResolvers<void>();
      const stand = await openStand({
        script: (turn) => async () => {
          await turn.say("The first trees stand here, ");
          await turn.waitFor(goOn.promise);
          await turn.say("and the last ones there.");
          return undefined;
        },
      });
      await stand.inDm.says("where are the trees?");
      await stand.inDm.hears(/^The first trees/);
      goOn.resolve();
      await stand.inDm.hears("The first trees stand here, and the last ones there.");
      await stand.grove.rests();
      const [message, ...more] = await stand.inDm.messages();
      expect([more, (message?.versions.length ?? 0) > 1]).toEqual([[], true]);
      return "1 message, edited until it was whole";
    },
  },
  {
    ability: "typing",
    deed: "the agent took its time",
    async check() {
      const goOn = Promise.withResolvers<void>();
      const stand = await openStand({
        script: (turn) => async () => {
          await turn.waitFor(goOn.promise);
          await turn.say("done");
          return undefined;
        },
      });
      await stand.inDm.says("think");
      await stand.discord.called("POST /channels/:channel/typing");
      expect(await stand.inDm.messages()).toHaveLength(0);
      goOn.resolve();
      await stand.inDm.hears("done", { once: true });
      await stand.grove.rests();
      return "`POST /channels/:channel/typing` before the answer";
    },
  },
  {
    ability: "long answers",
    deed: `the agent answered with a program of ${LONG.length.toLocaleString("en")} characters`,
    async check() {
      const stand = await openStand({ script: () => [{ step: "say", text: LONG }] });
      await stand.inDm.says("plant them");
      await stand.inDm.hears(/row: 119/);
      await stand.grove.rests();
      const parts = (await stand.inDm.messages()).map(({ text }) => text);
      expect(parts.every((part) => part.length <= 2_000)).toBe(true);
      expect(parts.every((part) => part.startsWith("```js\n") && part.endsWith("\n```"))).toBe(true);
      return `${count(parts.length, "message")} of at most 2,000 characters, each with its code fence opened and closed`;
    },
  },
  {
    ability: "completions as cards",
    deed: "a sub-agent finished its task in a thread",
    async check() {
      const stand = await openStand();
      await stand.inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
      const { message } = await stand.inGeneral.hears(/heard: count the trees/, { once: true });
      await stand.grove.rests();
      const [embed] = message.embeds;
      const thread = await findThread(stand);
      expect(embed?.description).toMatch(/^done · /);
      expect(JSON.stringify(message.components)).toContain(thread.id);
      return `an embed “${embed?.title}” with the state and the time, the words, and a button that leads to the thread`;
    },
  },
  {
    ability: "Markdown as Discord shows it",
    deed: "the agent answered with a table",
    async check() {
      const stand = await openStand({
        script: () => [{ step: "say", text: "| tree | age |\n|---|---|\n| oak | 300 |" }],
      });
      await stand.inDm.says("which trees?");
      const { text } = await stand.inDm.hears(/oak/, { once: true });
      await stand.grove.rests();
      expect(text).toMatch(/^```[\s\S]*oak +\| 300[\s\S]*```$/);
      expect(await stand.discord.record({ route: POST_MESSAGE })).toHaveLength(1);
      return "its rows in a code block, one below the other";
    },
  },
];
