import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";

const LABEL = "<@123> [x](https://e.org)";
/** As Discord shows it unchanged. */
const SHOWN = String.raw`\<@123> [x]\(https://e.org)`;

test("a label is a name: in the answer to /spawn, the thread and the card it is no mention and no link", async () => {
  const { inGeneral, general, ada, grove } = await openDiscordGrove();
  await inGeneral.uses("spawn", { task: `--thread --label "${LABEL}" count the trees` });
  const answer = await inGeneral.hears(/is at work/);
  const card = await inGeneral.hears(/heard: count the trees/);
  const [thread] = await general.threads();
  if (thread === undefined) throw new Error("no thread");
  await grove.rests();
  const title = card.message.embeds[0]?.title;
  expect([answer.text.includes(SHOWN), title]).toEqual([true, `✅ ${SHOWN}`]);
  const inThread = await ada.in(thread).messages();
  expect(inThread[0]?.text).toBe(`🌱 “${SHOWN}” works here; write to it.`);
  for (const { text } of [...inThread, ...(await inGeneral.messages())])
    expect(text).not.toMatch(/<@123>(?<!\\<@123>)|\]\(/);
});
