import { LINKED } from "../events/person.ts";
import type { StoreMirror } from "../world/store-mirror.ts";

/** The name under which an account, such as `pigeon:101`, is linked at this moment. The configuration's word comes first. */
export function findPerson(data: StoreMirror, peer: string): string | undefined {
  const configured = Object.keys(LINKED).find((name) => LINKED[name]?.includes(peer));
  if (configured !== undefined) return configured;
  for (const link of data.seldom.listLinks()) if (`${link.channel}:${link.peer}` === peer) return link.person;
  return undefined;
}
