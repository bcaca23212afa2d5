import type { TelegramEmulator, TelegramUser } from "@banyan/emulator-telegram";
import type { Script } from "@banyan/runtime-demo";
import { expect } from "vitest";
import { askingScript } from "../stage/asking-script.ts";
import { type Grove, openGrove } from "../stage/grove.ts";
import { createListener, createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import type { Capability } from "./capability-table.ts";

interface Stand {
  readonly telegram: TelegramEmulator;
  readonly ada: TelegramUser;
  readonly grove: Grove;
}

/** Ada alone with a bot whose agent plays the script, or says `heard:` and what it was told. */
async function openStand(script?: Script): Promise<Stand> {
  const { telegram, env } = await openTelegram([7]);
  const agent = script === undefined ? createListener() : createScriptedAgent(script);
  const grove = await openGrove({ runtimes: agent.runtimes, config: agent.config, env });
  return { telegram, ada: await telegram.user({ id: 7, firstName: "Ada" }), grove };
}

/** One whose answer takes a pause in the middle, until `goOn`. */
async function openTale(): Promise<Stand & { readonly goOn: () => void }> {
  const pause = Promise.withResolvers<void>();
  const stand = await openStand((turn) => async () => {
    await turn.say("The first trees stand here, ");
    await turn.waitFor(pause.promise);
    await turn.say("and the last ones there.");
    return undefined;
  });
  return { ...stand, goOn: () => pause.resolve() };
}

const WHOLE = "The first trees stand here, and the last ones there.";

/** Answers that grow, buttons, and the menu of commands. */
export const TALK_CAPABILITIES: readonly Capability[] = [
  {
    ability: "growing answers, by drafts",
    deed: "in a private chat the agent wrote its answer in two pieces, with a pause between them",
    async check() {
      const { telegram, ada, grove, goOn } = await openTale();
      await ada.says("where are the trees?");
      await ada.hearsDraft(/^The first trees/);
      goOn();
      await ada.hears(WHOLE, { once: true });
      await grove.rests();
      expect(await ada.drafts()).toEqual([]);
      return `\`sendMessageDraft\` × ${(await telegram.record({ method: "sendMessageDraft" })).length}, then 1 message`;
    },
  },
  {
    ability: "a growing answer is stopped by its button",
    deed: "Ada pressed Telegram’s own button while the answer grew",
    async check() {
      const { ada, grove } = await openTale();
      await ada.says("where are the trees?");
      await ada.hearsDraft(/^The first trees/);
      await ada.stopsDraft();
      const { text } = await ada.hears(/^Stopped/, { once: true });
      await grove.rests();
      return `“${text}”`;
    },
  },
  {
    ability: "growing answers, by edits",
    deed: "the same on a server that knows no drafts",
    async check() {
      const { telegram, ada, grove, goOn } = await openTale();
      const description = "Not Found: method not found";
      await telegram.faults.add({
        kind: "refuse",
        method: "sendMessageDraft",
        code: 404,
        description,
        times: "always",
      });
      await ada.says("where are the trees?");
      await ada.hears(/^The first trees/);
      goOn();
      await ada.hears(WHOLE, { once: true });
      await grove.rests();
      expect(await ada.messages()).toHaveLength(1);
      return "1 message, edited until it was whole";
    },
  },
  {
    ability: "buttons",
    deed: "Ada pressed *Try again* below a result of several messages",
    async check() {
      const lines = Array.from({ length: 700 }, (_, tree) => `tree ${tree}`).join("\n");
      const { ada, grove } = await openStand(() => [{ step: "say", text: lines }]);
      await ada.says("/spawn --label census count the trees");
      await ada.hears(/tree 699$/);
      await grove.rests();
      const answer = await ada.presses("Try again");
      const { text } = await ada.hears(/^Nothing to send again/);
      await grove.rests();
      return `“${answer?.text}” to her alone, and a message: “${text}”`;
    },
  },
  {
    ability: "an agent asks for permission",
    deed: "Ada pressed *Allow* below the question after a restart",
    async check() {
      const { ada, grove } = await openStand(askingScript);
      await ada.says("dig");
      await ada.hears(/May I dig a well/);
      await grove.restart();
      await ada.presses("Allow");
      await ada.hears("chosen: Allow", { once: true });
      const { text } = await ada.hears(/Allow \(Ada\)/);
      await grove.rests();
      return `the turn went on, and the question says “${text.split("\n").at(-1)}”`;
    },
  },
  {
    ability: "the menu of commands",
    deed: "the gateway was started three times",
    async check() {
      const { telegram, grove } = await openStand();
      await telegram.called("setMyCommands", 6);
      await grove.restart();
      await telegram.called("getMyCommands", 12);
      await grove.restart();
      await telegram.called("getMyCommands", 18);
      const calls = (await telegram.record({ method: "setMyCommands" })).map(({ params }) => JSON.stringify(params));
      const german = calls.filter((call) => call.includes('"language_code":"de"'));
      return `\`setMyCommands\` × ${calls.length}: for private chats, for groups and for the rest, in English and German (${german.length})`;
    },
  },
];
