import type { Desk } from "./desk.ts";
import { DiscordDesk } from "./discord-desk.ts";
import { TelegramDesk } from "./telegram-desk.ts";

const OPENERS: readonly (() => Promise<Desk>)[] = [() => DiscordDesk.open(), () => TelegramDesk.open()];

/** Opens the emulated platforms side by side; they are in the order of their openers. One that fails closes the others. */
export async function openDesks(openers: readonly (() => Promise<Desk>)[] = OPENERS): Promise<readonly Desk[]> {
  const opened = await Promise.allSettled(openers.map((open) => open()));
  const desks = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = opened.find((one) => one.status === "rejected");
  if (failed === undefined) return desks;
  await closeDesks(desks);
  throw failed.reason;
}

export async function closeDesks(desks: readonly Desk[]): Promise<void> {
  await Promise.all(desks.map((desk) => desk.close()));
}
