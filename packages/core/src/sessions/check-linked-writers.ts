import type { Store } from "@banyan/plugin-sdk/store";
import { BanyanError } from "../ports/errors.ts";
import type { IdentityLinks } from "./keys/identity-links.ts";
import { buildSessionKey } from "./keys/session-key-parts.ts";

/**
 * Refuses links that would show one person what another has written: the session of a linked person may hold writing
 * of accounts linked to that name only. Throws `foreign_writers` with what to do.
 */
export async function checkLinkedWriters(store: Store, links: IdentityLinks, agents: readonly string[]): Promise<void> {
  const keys = agents.flatMap((agentId) =>
    [...links.persons].map((person) => ({ person, key: buildSessionKey({ agentId, kind: "dm", peer: person }) })),
  );
  const found = await Promise.all(keys.map(async (each) => ({ ...each, writers: await store.read.writers(each.key) })));
  for (const { person, key, writers } of found) {
    const foreign = writers.find(({ channel, peer }) => links.find(channel, peer) !== person);
    if (foreign === undefined) continue;
    throw new BanyanError(
      "foreign_writers",
      `Identity links were checked: the session ${key} of ${person} holds writing of ${foreign.channel}:${foreign.peer}, which is not linked to that name; link it to ${person} again, or give the person another name (banyan sessions rekey comes with the operator's tools)`,
    );
  }
}
