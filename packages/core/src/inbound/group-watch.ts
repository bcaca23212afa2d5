import { type Address, type Log, parseAddress } from "@banyan/plugin-sdk";

/** Chats whose names were told: more than one bot is ever put into, few enough to keep. */
const MOST_TOLD = 1_000;

/** Tells the operator the id of each group that the bot was put into and that is not on the list, once. */
export interface GroupWatch {
  see(message: { readonly address: Address; readonly guild?: string }): void;
}

export function createGroupWatch(log: Log): GroupWatch {
  const told = new Set<string>();
  return {
    see({ address, guild }) {
      const { channel, account, chat } = parseAddress(address);
      const name = `${channel}/${account}/${chat}`;
      if (told.has(name) || told.size >= MOST_TOLD) return;
      told.add(name);
      if (guild === undefined) {
        const line = "a group is not on the list: name its chat in groups.allow to take part in it";
        log.info({ channel, account, chat }, line);
      } else {
        const line =
          "a group is not on the list: name its chat in groups.allow, or its server in groups.guilds for all of the server's chats, to take part in it";
        log.info({ channel, account, chat, guild }, line);
      }
    },
  };
}
