import type { ExpectedWriters, Store, StoreReads, WriterRow } from "@banyan/store";
import { BanyanError } from "../ports/errors.ts";
import { type IdentityLinks, joinIdentityLinks } from "./keys/identity-links.ts";
import { buildSessionKey } from "./keys/session-key-parts.ts";

/** Looked up at once: a start with thousands of links must not ask the store one by one. */
const READ_PERSONS = 500;

/** What somebody wrote in the conversation of a person whom he is not linked to. */
export interface ForeignWriting extends WriterRow {
  readonly person: string;
}

/**
 * Refuses links, the configuration's and the stored ones together, that would show one person what another has written:
 * the session of a linked person may hold writing of accounts linked to that name only. Throws `foreign_writers` with
 * what to do, and `invalid_identity_links` where a stored link contradicts the configuration.
 */
export async function checkLinkedWriters(
  store: Pick<Store, "read">,
  configured: IdentityLinks,
  agents: readonly string[],
): Promise<void> {
  const links = joinIdentityLinks(configured, (await store.read.routes()).links);
  const find = async (person: string): Promise<ForeignWriting | undefined> => {
    const { writers } = await readPersonWriters(store.read, person, agents);
    const foreign = writers.find(({ channel, peer }) => links.find(channel, peer) !== person);
    return foreign === undefined ? undefined : { ...foreign, person };
  };
  const persons = [...links.persons];
  for (let at = 0; at < persons.length; at += READ_PERSONS) {
    const found = await Promise.all(persons.slice(at, at + READ_PERSONS).map(find));
    const foreign = found.find((writing) => writing !== undefined);
    if (foreign !== undefined) throw new BanyanError("foreign_writers", formatForeignWriting(foreign));
  }
}

/** Who has written in the conversations of a person's name, one for each agent. */
export async function readPersonWriters(
  read: Pick<StoreReads, "writers">,
  person: string | undefined,
  agents: readonly string[],
): Promise<ExpectedWriters> {
  if (person === undefined) return { sessionKeys: [], writers: [] };
  const sessionKeys = agents.map((agentId) => buildSessionKey({ agentId, kind: "dm", peer: person }));
  return { sessionKeys, writers: (await Promise.all(sessionKeys.map((key) => read.writers(key)))).flat() };
}

/** What is wrong and its cure, for the operator. */
export function formatForeignWriting({ person, sessionKey: key, channel, peer }: ForeignWriting): string {
  return `Identity links were checked: the session ${key} of ${person} holds writing of ${channel}:${peer}, which is not linked to that name; link it to ${person} again, give the person another name, or move that conversation away: ${formatRekeyCure(key)}`;
}

/** The line that moves a conversation to a key which nothing leads to. */
export function formatRekeyCure(key: string): string {
  return `banyan sessions rekey ${key} ${key}-before`;
}
