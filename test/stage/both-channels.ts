import type { TelegramUser } from "@banyan/emulator-telegram";
import { type Grove, openGrove } from "./grove.ts";
import type { ScriptedAgent } from "./scripted-agent.ts";
import { openTelegram } from "./telegram-town.ts";
import type { WebPerson } from "./web-person.ts";

/** Where Ada is: what is said of one place holds for the other. */
export interface Place {
  readonly person: TelegramUser | WebPerson;
  /** Of the session she talks in. */
  readonly key: string;
  readonly id: string;
  readonly channel: string;
}

/** Ada on Telegram and Ada in the web chat, in front of the same agent. */
export async function openBothChannels(agent: ScriptedAgent): Promise<{ grove: Grove; places: readonly Place[] }> {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, runtimes: agent.runtimes, config: agent.config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  return {
    grove,
    places: [
      { person: ada, key: "agent:main:telegram:dm:7", id: "7", channel: "telegram" },
      { person: grove.web("ada"), key: "agent:main:webchat:dm:ada", id: "ada", channel: "webchat" },
    ],
  };
}
