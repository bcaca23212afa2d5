import { createGate, wait } from "@banyan/runtime-demo";
import { expect } from "vitest";
import { askingScript } from "../stage/asking-script.ts";
import type { Capability } from "./capability-table.ts";
import { CALL, countCalls, openStand, type Stand } from "./discord-stand.ts";

async function ask({ inGeneral, grove }: Stand): Promise<string> {
  const interaction = await inGeneral.uses("ask", { question: "how many trees?" });
  const { type } = await interaction.acknowledged();
  await inGeneral.hears("heard: how many trees?", { once: true });
  await grove.rests();
  const answers = (await inGeneral.messages()).filter(({ text }) => text === "heard: how many trees?");
  expect(answers.map(({ message }) => message.type === 0 || message.type === 19)).toEqual([true]);
  return `acknowledged with type ${type}`;
}

/** What people press and choose instead of writing. */
export const INTERACTION_CAPABILITIES: readonly Capability[] = [
  {
    ability: "slash commands",
    deed: "Ada used `/ask` in a channel",
    check: async () => `${await ask(await openStand())}, the answer is a message of the channel`,
  },
  {
    ability: "commands are registered once for each change of them",
    deed: "the gateway was started three times",
    async check() {
      const stand = await openStand();
      await stand.discord.called("PUT /applications/:application/commands");
      await stand.grove.restart();
      await stand.grove.restart();
      return countCalls(stand, "PUT /applications/:application/commands");
    },
  },
  {
    ability: "completion of names",
    deed: "Ada typed the beginning of a sub-agent’s name behind `/kill`",
    async check() {
      const stand = await openStand();
      await stand.inGeneral.says(`${CALL} /spawn --label census count the trees`);
      await stand.inGeneral.hears(/census[\s\S]*done/, { once: true });
      await stand.grove.rests();
      const choices = await stand.inGeneral.completes("kill", "target", "cen");
      expect(choices.map(({ name }) => name).join()).toContain("census");
      return `offered: ${choices.map(({ name }) => `“${name.replace(/\d+(\.\d+)? s/, "… s")}”`).join(", ")}`;
    },
  },
  {
    ability: "buttons",
    deed: "Ada pressed *Stop* below a sub-agent at work",
    async check() {
      const stand = await openStand({ script: () => [wait(createGate())] });
      await stand.inGeneral.says(`${CALL} /spawn --label well dig a well`);
      const { messageId } = await stand.inGeneral.hears(/well.* is at work/);
      const customId = await stand.grove.until("its button", async () => {
        const shown = (await stand.inGeneral.messages()).find((one) => one.messageId === messageId);
        return /"custom_id":"([^"]+)"/.exec(JSON.stringify(shown?.message.components))?.[1];
      });
      const { isEphemeral } = await (await stand.inGeneral.presses(messageId, customId)).acknowledged();
      await stand.inGeneral.hears(/^Stopped .*well/);
      await stand.grove.rests();
      expect(isEphemeral).toBe(true);
      return "acknowledged to her alone, what came of it is a message";
    },
  },
  {
    ability: "an agent asks for permission",
    deed: "Ada pressed *Deny* below the question after a restart",
    async check() {
      const { inDm, grove } = await openStand({ script: askingScript });
      await inDm.says("dig");
      const asked = await inDm.hears(/May I dig a well/);
      await grove.restart();
      const [, customId = ""] =
        /"label":"Deny","custom_id":"([^"]+)"/.exec(JSON.stringify(asked.message.components)) ?? [];
      await (await inDm.presses(asked.messageId, customId)).acknowledged();
      await inDm.hears("chosen: Deny", { once: true });
      const { text } = await inDm.hears(/\*\*Deny\*\* \(/);
      await grove.rests();
      return `the turn went on, and the question says “${text.split("\n").at(-1)}”`;
    },
  },
  {
    ability: "interactions over HTTP",
    deed: '`interactions: "http"`: Discord posted the command to the gateway’s own address, signed',
    async check() {
      const stand = await openStand({ account: { interactions: "http" } });
      await stand.discord.called("PUT /applications/:application/commands");
      const interactionsUrl = `${stand.grove.open.gateway.url}/discord/default/interactions`;
      const forged = await fetch(interactionsUrl, { method: "POST", body: '{"type":1}' });
      await stand.discord.setBot({ interactionsUrl });
      return `${await ask(stand)}; an unsigned one is refused with ${forged.status}`;
    },
  },
];
