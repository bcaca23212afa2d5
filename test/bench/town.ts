import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import { BOT_TOKEN } from "../stage/bot-token.ts";

/** A Telegram full of people whose answers can be waited for cheaply. */
export interface Town {
  readonly telegram: TelegramEmulator;
  readonly people: readonly TelegramUser[];
  /** Calls back with each answer, until it is replaced. */
  listen(listener: (person: TelegramUser, text: string) => void): void;
  close(): Promise<void>;
}

export async function openTown(size: number): Promise<Town> {
  let listener: (person: TelegramUser, text: string) => void = () => undefined;
  const byId = new Map<number, TelegramUser>();
  const telegram = await createTelegramEmulator({
    record: "counts",
    onSent: ({ userId, text }) => {
      const person = byId.get(userId);
      if (person !== undefined) listener(person, text);
    },
  });
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  for (let id = 1; id <= size; id += 1) byId.set(id, await telegram.user({ id, firstName: `Person ${id}` }));
  return {
    telegram,
    people: [...byId.values()],
    listen: (next) => {
      listener = next;
    },
    close: () => telegram.close(),
  };
}
