import type { ShiftedClock } from "@banyan/emulator-kit";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import type { FloodLimit } from "../server/flood-limit.ts";
import type { BotChange, UpdatePush, WorldControl } from "./world-control.ts";

export function createLocalWorldControl(platform: Platform, floodLimit: FloodLimit, clock: ShiftedClock): WorldControl {
  return {
    setBot: async (change) => setBot(platform, change),
    pushUpdate: async (push) => pushUpdate(platform, push),
    flood: async ({ botId, chatId, retryAfterS }) =>
      floodLimit.block(platform.bots.get(botId).id, chatId, clock.nowMs() + retryAfterS * 1000),
    setLimits: async (limits) => floodLimit.setLimits(limits),
    passTime: async ({ ms }) => clock.passTime(ms),
  };
}

function setBot(platform: Platform, { botId, abilities, hearsOtherBots, trouble }: BotChange): void {
  const bot = platform.bots.get(botId);
  bot.abilities = { ...bot.abilities, ...abilities };
  bot.hearsOtherBots = hearsOtherBots ?? bot.hearsOtherBots;
  bot.trouble = trouble ?? bot.trouble;
}

function pushUpdate(platform: Platform, { botId, update }: UpdatePush): void {
  const [kind, ...more] = Object.keys(update);
  if (kind === undefined || kind === "update_id" || more.length > 0) {
    throw new EmulatorError("invalid_request", "pushing an update: give one field, its kind; the id is set here");
  }
  platform.bots.get(botId).notify(kind, update[kind]);
}
