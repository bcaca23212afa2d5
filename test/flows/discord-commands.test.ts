import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";

test("a person asks with a slash, and the answer is a message that nothing doubles", async () => {
  const { inGeneral, discord, grove } = await openDiscordGrove();
  const asked = await inGeneral.uses("ask", { question: "how many trees?" });
  expect((await asked.acknowledged()).type).toBe(4);
  await inGeneral.hears("heard: how many trees?", { once: true });
  await grove.rests();
  const [sent] = await discord.record({ route: "POST /channels/:channel/messages" });
  expect(sent?.body).toMatchObject({ enforce_nonce: true, allowed_mentions: { parse: [] } });
});

test("commands are typed with a slash, and their targets are completed", async () => {
  const { inGeneral, grove, agent } = await openDiscordGrove();
  await (await inGeneral.uses("spawn", { task: "--label well dig a well" })).acknowledged();
  await inGeneral.hears(/🌱 .*well.* is at work/);
  await grove.until("the well's turn", () =>
    agent.record.attempts.find(({ input }) => input[0]?.text === "dig a well"),
  );
  const offered = await inGeneral.completes("kill", "target", "");
  expect(offered?.[0]?.name).toMatch(/well/);
  await (await inGeneral.uses("tree")).acknowledged();
  await inGeneral.hears(/1 at work/);
  await (await inGeneral.uses("kill", { target: String(offered?.[0]?.value) })).acknowledged();
  await inGeneral.hears(/^Stopped \*?\*?well/, { once: true });
  await grove.rests();
});
