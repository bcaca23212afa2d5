import {
  type Address,
  CHANNEL_API_VERSION,
  type ChannelContext,
  type ChannelPlugin,
  defineChannelPlugin,
} from "@banyan/plugin-sdk";
import { readAccountName } from "../events/person.ts";
import type { Guest } from "../world/guest.ts";
import { pauseOn } from "../world/pause-on.ts";
import type { PigeonLine } from "./pigeon-line.ts";
import type { Town } from "./town.ts";

const RETRY_MS = 1_000;

/** A platform that is polled, confirms by offset and knows no keys. */
export function createPigeonPlugin(town: Town, guest: Guest): ChannelPlugin<unknown> {
  return defineChannelPlugin<unknown>({
    id: "pigeon",
    apiVersion: CHANNEL_API_VERSION,
    capabilities: {
      kinds: ["dm", "group"],
      text: { limit: 240, measure: (text) => text.length },
      threads: false,
      edits: false,
      delivery: "at-least-once",
    },
    config: { "~standard": { version: 1, vendor: "simulation", validate: (value) => ({ value }) } },
    async connect(context) {
      const account = readAccountName(`pigeon/${context.account}`);
      await town.greet(guest, account);
      void pollUpdates(town.lineOf(account), guest, context);
      const door = town.doorOf(account);
      const pace = { take: (address: Address) => door.pace(guest, address) };
      return { send: (message) => door.send(guest, message), close: async () => undefined, pace };
    },
  });
}

/** Takes in what comes on a line of updates, until the account is closed. */
export async function pollUpdates(line: PigeonLine, guest: Guest, context: ChannelContext<unknown>): Promise<void> {
  let offset = Number(context.cursor ?? 0);
  while (!context.signal.aborted) {
    try {
      const updates = await line.poll(guest, offset);
      if (context.signal.aborted) return;
      // A move is followed before what comes behind it is taken in.
      const firstMove = updates.findIndex(({ move }) => move !== undefined);
      const batch = firstMove > 0 ? updates.slice(0, firstMove) : updates.slice(0, firstMove === 0 ? 1 : undefined);
      for (const { move } of batch) if (move !== undefined) await context.migrateChat(move);
      const next = Math.max(offset, ...batch.map(({ id }) => id + 1));
      await context.receive(
        batch.flatMap(({ said }) => said?.message ?? []),
        { cursor: String(next) },
      );
      offset = next;
    } catch (error) {
      context.log.warn({ err: error }, "the pigeons were not heard");
      await pauseOn(context.clock, RETRY_MS, context.signal);
    }
  }
}
