import type { TelegramEmulator, TelegramRoom, TelegramUser } from "@banyan/emulator-telegram";
import type { BindingRow } from "@banyan/store";
import { type Grove, type GroveOptions, openGrove } from "./grove.ts";
import { createScriptedAgent, type ScriptedAgent } from "./scripted-agent.ts";
import { openTelegram } from "./telegram-town.ts";

export interface TelegramGrove {
  readonly agent: ScriptedAgent;
  readonly grove: Grove;
  readonly telegram: TelegramEmulator;
  readonly bot: { readonly id: number };
  readonly ada: TelegramUser;
  readonly bob: TelegramUser;
  readonly hall: TelegramRoom;
}

export interface TelegramGroveOptions {
  /** Of the hall. Default: a forum in which the bot manages topics. */
  readonly hall?: "forum" | "forum without rights" | "supergroup" | "group";
  /** The section `threads`. */
  readonly threads?: object;
  /** The bot has topics in private chats. */
  readonly hasPrivateTopics?: boolean;
  readonly ports?: GroveOptions["ports"];
}

/**
 * Ada and Bob with a bot whose agent says what it heard, is at work until it is stopped where it hears `dig`, calls a tool
 * where it hears `spawn {…}`, and tells what it heard of sub-agents.
 */
export async function openTelegramGrove(options: TelegramGroveOptions = {}): Promise<TelegramGrove> {
  const { hall: kind = "forum", threads, hasPrivateTopics = false, ports } = options;
  const agent = createTalker();
  const { telegram, env } = await openTelegram([7, 8]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const bot = await telegram.bot();
  if (hasPrivateTopics)
    await telegram.setBot({ abilities: { has_topics_enabled: true, allows_users_to_create_topics: true } });
  const people = { title: "Hall", creator: ada, members: [bob], bots: [bot] };
  const isForum = kind.startsWith("forum");
  const hall = await telegram.createRoom({ kind: kind === "group" ? kind : "supergroup", ...people, isForum });
  if (kind === "forum") await hall.promotes(bot, ada, { rights: { can_manage_topics: true } });
  const account = { groups: { allow: [String(hall.chatId)] } };
  const config = {
    agents: { main: { runtime: "scripted", default: true } },
    channels: { telegram: { accounts: { default: account } } },
    ...(threads !== undefined && { threads }),
  };
  const grove = await openGrove({ runtimes: agent.runtimes, config, env, ...(ports !== undefined && { ports }) });
  return { agent, grove, telegram, bot, ada, bob, hall };
}

function createTalker(): ScriptedAgent {
  return createScriptedAgent((turn) => async () => {
    for (const { text, completion } of turn.input.input) {
      if (completion !== undefined) await turn.say(`told: ${completion.label} ${completion.outcome}\n`);
      else if (text.startsWith("dig")) await turn.waitFor(new Promise(() => undefined));
      else if (text.startsWith("spawn ")) {
        for (const spawn of text.slice("spawn ".length).split("; "))
          await turn.callTool("sessions_spawn", JSON.parse(spawn));
        await turn.say("begun");
      } else await turn.say(`heard: ${text}`);
    }
    return undefined;
  });
}

/** What the bot has said in the hall: beside its topics, or in one of them. */
export async function said({ hall, ada }: TelegramGrove, topicId?: number): Promise<readonly string[]> {
  const messages = await hall.member(ada).messages();
  const idOf = (extra: Readonly<Record<string, unknown>> = {}) =>
    extra.is_topic_message === true ? extra.message_thread_id : undefined;
  return messages.filter(({ extra }) => idOf(extra) === topicId).map(({ text }) => text);
}

/** What is bound to sub-agents. */
export function readBindings({ grove }: TelegramGrove): Promise<readonly BindingRow[]> {
  return grove.read(async (read) => (await read.routes()).bindings);
}
