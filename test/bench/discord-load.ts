import { createDiscordEmulator, type DiscordChat, type DiscordEmulator } from "@banyan/emulator-discord";
import { BOT_ID, DISCORD_TOKEN } from "../stage/discord-town.ts";

/** A Discord full of people, each in a direct chat with the bot, whose answers can be waited for cheaply. */
export interface DiscordBenchTown {
  readonly discord: DiscordEmulator;
  readonly chats: readonly DiscordChat[];
  /** Calls back with each answer, until it is replaced. */
  listen(listener: () => void): void;
  close(): Promise<void>;
}

const FIRST_ID = 100_000_000_000_000_000n;

export async function openDiscordBenchTown(size: number): Promise<DiscordBenchTown> {
  let listener = (): void => undefined;
  const discord = await createDiscordEmulator({ record: "counts", onSent: () => listener() });
  await discord.addBot({ token: DISCORD_TOKEN, username: "grove", id: BOT_ID });
  const chats: DiscordChat[] = [];
  for (let person = 1; person <= size; person += 1) {
    const user = await discord.user({ id: String(FIRST_ID + BigInt(person)), username: `person${person}` });
    chats.push(user.dm());
  }
  return {
    discord,
    chats,
    listen: (next) => {
      listener = next;
    },
    close: () => discord.close(),
  };
}

/** All people write at first, and with each answer the next one in turn does. Resolves with messages a second. */
export async function runDiscordLoop(town: DiscordBenchTown, count: number): Promise<number> {
  const done = Promise.withResolvers<void>();
  let answers = 0;
  let said = 0;
  const sayNext = (): void => {
    const chat = town.chats[said % town.chats.length];
    said += 1;
    chat?.says(`message number ${said}, of the length that people write`).catch(done.reject);
  };
  town.listen(() => {
    answers += 1;
    if (answers === count) done.resolve();
    if (said < count) sayNext();
  });
  const begun = performance.now();
  for (let first = 0; first < Math.min(town.chats.length, count); first += 1) sayNext();
  await done.promise;
  return count / ((performance.now() - begun) / 1000);
}
