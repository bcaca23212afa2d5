import { CHANNEL_API_VERSION, type ChannelPlugin, defineChannelPlugin } from "@banyan/plugin-sdk";
import { readAccountName } from "../events/person.ts";
import type { Guest } from "../world/guest.ts";
import { pollUpdates } from "./pigeon-plugin.ts";
import type { Town } from "./town.ts";

/** A platform that is polled, knows no keys and shows no history, and whose messages can be edited. */
export function createMagpiePlugin(town: Town, guest: Guest): ChannelPlugin<unknown> {
  return defineChannelPlugin<unknown>({
    id: "magpie",
    apiVersion: CHANNEL_API_VERSION,
    capabilities: {
      kinds: ["dm", "group"],
      text: { limit: 240, measure: (text) => text.length },
      threads: false,
      edits: true,
      delivery: "at-least-once",
    },
    config: { "~standard": { version: 1, vendor: "simulation", validate: (value) => ({ value }) } },
    async connect(context) {
      const account = readAccountName(`magpie/${context.account}`);
      await town.greet(guest, account);
      void pollUpdates(town.lineOf(account), guest, context);
      const door = town.doorOf(account);
      return {
        send: (message) => door.send(guest, message),
        edits: { edit: (request) => door.edit(guest, request) },
        close: async () => undefined,
      };
    },
  });
}
