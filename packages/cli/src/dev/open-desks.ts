import type { Desk } from "./desk.ts";
import { DiscordDesk } from "./discord-desk.ts";
import { TelegramDesk } from "./telegram-desk.ts";

/** Opens the emulated platforms side by side, in the order they are shown. One that fails closes the others. */
export async function openDesks(): Promise<readonly Desk[]> {
  const opened = await Promise.allSettled<Desk>([DiscordDesk.open(), TelegramDesk.open()]);
  const desks = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = opened.find((one) => one.status === "rejected");
  if (failed === undefined) return desks;
  await closeDesks(desks);
  throw failed.reason;
}

export async function closeDesks(desks: readonly Desk[]): Promise<void> {
  await Promise.all(desks.map((desk) => desk.close()));
}
