import { createDiscordEmulator, type DiscordThread } from "@banyan/emulator-discord";
import { ADA_ID, BOT_ID, DISCORD_TOKEN } from "../stage/discord-town.ts";
import type { TreeCall, TreePlace } from "./tree-place.ts";

const PATIENCE_MS = 60_000;
/** What a run's end puts before its thread's name. */
const MARK = /^(✅|❌|⏱|⏹) /;

const ROUTES: Readonly<Record<TreeCall, string>> = {
  send: "POST /channels/:channel/messages",
  edit: "PATCH /channels/:channel/messages/:message",
  open: "POST /channels/:channel/messages/:message/threads",
  archive: "PATCH /channels/:channel",
  rename: "PATCH /channels/:channel",
};

/**
 * A server on Discord with a channel in which Ada calls the bot. `where` of what is said is a thread's name as it was
 * opened, or `dm`. What was told in a thread stands behind that name. `left`: the threads at the end and how they stand.
 */
export async function openDiscordPlace(left: readonly string[]): Promise<TreePlace> {
  const discord = await createDiscordEmulator({});
  const bot = await discord.addBot({ token: DISCORD_TOKEN, username: "grove", id: BOT_ID });
  const ada = await discord.user({ id: ADA_ID, username: "ada" });
  const guild = await discord.createGuild({ name: "The Grove", bots: [bot], members: [ada] });
  const general = await guild.createChannel({ name: "general", kind: "text" });
  const [inGeneral, inDm] = [ada.in(general), ada.dm()];
  const nameOf = (thread: DiscordThread) => thread.name.replace(MARK, "");
  const findOpen = async (name: string) =>
    (await general.threads()).findLast((thread) => nameOf(thread) === name && !thread.isArchived);
  let connected: Promise<void> | undefined;
  const groups = { guilds: [guild.id] };
  return {
    env: { DISCORD_BOT_TOKEN: DISCORD_TOKEN, DISCORD_API_URL: discord.url, DISCORD_ALLOW_FROM: ADA_ID },
    config: { channels: { discord: { accounts: { default: { groups } } } } },
    files: {},
    marksRepeats: false,
    async says(text, lives, where) {
      // Before its very first start nothing that is said is the bot's business.
      connected ??= discord.gateway.connected({ timeoutMs: PATIENCE_MS });
      await connected;
      if (where === undefined) return void (await inGeneral.says(`<@${BOT_ID}> ${text}`));
      if (where === "dm") return void (await inDm.says(text));
      for (;;) {
        const thread = await findOpen(where);
        if (thread !== undefined) return void (await ada.in(thread).says(text));
        await lives.pace();
      }
    },
    async texts() {
      const threads = await general.threads();
      const told = await Promise.all(
        threads.map(async (thread) => (await thread.messages()).map(({ text }) => `${nameOf(thread)}: ${text}`)),
      );
      const chats = [...(await inGeneral.messages()), ...(await inDm.messages())];
      return [...chats.map(({ text }) => text), ...told.flat()];
    },
    async lose(call) {
      const gate = await discord.faults.hold({ route: ROUTES[call], at: "answer", times: 1 });
      return { taken: () => gate.reached(1, PATIENCE_MS), end: () => gate.cut() };
    },
    passTime: (ms) => discord.passTime(ms),
    async findFault() {
      const threads = await general.threads();
      const standing = threads.map(({ name, isArchived }) => `${name} ${isArchived ? "archived" : "open"}`);
      const found = standing.toSorted().join();
      return found === left.join() ? undefined : `the threads are: ${found}`;
    },
    close: () => discord.close(),
  };
}
