import { type Address, formatAddress, type InboundMessage } from "@banyan/plugin-sdk";
import type { Errand } from "../agents/errand.ts";

/** A door to the grove: one account of a platform. */
export type AccountName = "pigeon/east" | "pigeon/west" | "raven/north" | "discord/grove" | MagpieAccount;
/** Of the platform whose messages can be edited. */
export type MagpieAccount = "magpie/lake" | "magpie/wood";

export interface Person {
  readonly name: string;
  readonly account: AccountName;
  /** The platform's id of the person, and of the chat with them. */
  readonly id: string;
  readonly isBot?: boolean;
}

/** Dora writes on both platforms and is linked; Ada and Finn may link themselves; Rob is a bot. */
export const PEOPLE: readonly Person[] = [
  { name: "Ada", account: "pigeon/east", id: "101" },
  { name: "Bob", account: "pigeon/east", id: "102" },
  { name: "Cem", account: "pigeon/west", id: "103" },
  { name: "Dora", account: "pigeon/west", id: "104" },
  { name: "Dora", account: "raven/north", id: "904" },
  { name: "Finn", account: "raven/north", id: "905" },
  { name: "Ada", account: "raven/north", id: "901" },
  { name: "Ada", account: "pigeon/west", id: "111" },
  { name: "Finn", account: "pigeon/west", id: "105" },
];
/** Accounts that may be one person's. */
export const FAMILIES: readonly (readonly Person[])[] = ["Ada", "Finn", "Dora"].map((name) =>
  PEOPLE.filter((person) => person.name === name),
);
export const STRANGERS: readonly Person[] = [
  { name: "Eve", account: "pigeon/east", id: "666" },
  { name: "Ivo", account: "pigeon/east", id: "667" },
  { name: "Jan", account: "pigeon/east", id: "668" },
  { name: "Kim", account: "pigeon/east", id: "669" },
  { name: "Lea", account: "pigeon/west", id: "670" },
  { name: "Gus", account: "raven/north", id: "906" },
  { name: "Rob", account: "raven/north", id: "777", isBot: true },
];
/** They meet on the platform with threads, in the worlds that have it. */
export const GUILD_PEOPLE: readonly Person[] = [
  { name: "Una", account: "discord/grove", id: "801" },
  { name: "Vic", account: "discord/grove", id: "802" },
];
/** They write on the platform whose messages can be edited, in the worlds that have it. */
export const MAGPIE_PEOPLE: readonly Person[] = [
  { name: "Mia", account: "magpie/lake", id: "301" },
  { name: "Nils", account: "magpie/lake", id: "302" },
  { name: "Olga", account: "magpie/wood", id: "303" },
];
/** Everybody whom the operator has named. */
export const KNOWN_PEOPLE: readonly Person[] = [...PEOPLE, ...GUILD_PEOPLE, ...MAGPIE_PEOPLE];
export const LINKED: Readonly<Record<string, readonly string[]>> = { dora: ["pigeon:104", "raven:904"] };

/** One message that a person wrote, once and for all. */
export interface Said {
  readonly person: Person;
  readonly message: InboundMessage;
  /** What the agent does about it. */
  readonly errand: Errand;
}

export function addressOf(person: Person): Address {
  const [channel = "", account = ""] = person.account.split("/");
  return formatAddress({ channel, account, kind: "dm", chat: person.id });
}

/** As links are written: by the channel, whichever account the person talks with. */
export function formatPeer({ account, id }: Person): string {
  return `${account.slice(0, account.indexOf("/"))}:${id}`;
}

export function readAccountName(text: string): AccountName {
  const person = KNOWN_PEOPLE.find(({ account }) => account === text);
  if (person === undefined) throw new Error(`An account was read: there is none of the name ${text}`);
  return person.account;
}
