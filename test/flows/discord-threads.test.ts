import { expect, test } from "vitest";
import { BOT_ID, openDiscord } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const CALL = `<@${BOT_ID}>`;

async function openChat(account: object = {}) {
  const agent = createScriptedAgent((turn) => async () => {
    const text = turn.input.input.map((message) => message.text).join("\n");
    if (text.startsWith("dig")) await turn.waitFor(new Promise(() => undefined));
    await turn.say(`heard: ${text}`);
    return undefined;
  });
  const town = await openDiscord(account);
  const main = { runtime: "scripted", default: true } as const;
  const config = { agents: { main }, channels: town.channels };
  const grove = await openGrove({ runtimes: agent.runtimes, config, env: town.env });
  return { ...town, agent, grove };
}

test("a sub-agent lives in a thread of its own: it works there, people talk with it there, and the channel hears of its end", async () => {
  const { inGeneral, general, ada, grove } = await openChat();
  await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
  await inGeneral.hears(/^🌱 \*\*census\*\*/);
  const card = await inGeneral.hears(/heard: count the trees\s+✅ census\s+done · /, { once: true });
  const [thread] = await general.threads();
  expect(thread?.name).toMatch(/census/);
  if (thread === undefined) throw new Error("no thread");
  expect(JSON.stringify(card.message.components)).toContain(`/${thread.id}`);
  const inThread = ada.in(thread);
  await inThread.hears(/works here; write to it/);
  await inThread.hears("heard: count the trees", { once: true });
  await inThread.says("and the birds");
  await inThread.hears("heard: and the birds", { once: true });
  await grove.rests();
});
