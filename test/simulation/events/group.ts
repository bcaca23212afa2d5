import { type Address, formatAddress } from "@banyan/plugin-sdk";
import { GROVE } from "../platforms/discord/guild.ts";
import type { AccountName } from "./person.ts";

/** A chat of many. Its id on the platform is its name, with a number once it has moved. */
export interface Group {
  readonly name: string;
  readonly accounts: readonly AccountName[];
}

/** Two accounts sit in the club; nobody let the bot into the alley. */
export const GROUPS: readonly Group[] = [
  { name: "club", accounts: ["pigeon/east", "pigeon/west"] },
  { name: "moot", accounts: ["raven/north"] },
  { name: "alley", accounts: ["pigeon/east"] },
];
/** In the worlds that have the platform whose messages can be edited. */
export const MAGPIE_GROUPS: readonly Group[] = [{ name: "glade", accounts: ["magpie/lake", "magpie/wood"] }];
export const ALLOWED_GROUPS: ReadonlySet<string> = new Set(["club", "moot", "glade", GROVE]);
/** Stands before a message in a group that is for the bot. */
export const MENTION = "@tree ";

export interface ChatMove {
  readonly from: Address;
  readonly to: Address;
}

export function groupAddress(account: AccountName, chat: string): Address {
  const [channel = "", name = ""] = account.split("/");
  return formatAddress({ channel, account: name, kind: "group", chat });
}
