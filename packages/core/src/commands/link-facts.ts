import type { LinkCodeRow, StoreReads, WriterRow } from "@banyan/store";
import { findLink, type LinkBook, type PeerAccount } from "../access/link-book.ts";
import { buildSessionKey } from "../sessions/keys/session-key-parts.ts";

/** What a command about links looks at besides the message. */
export interface LinkFacts {
  /** Of the picture that all this was read from. */
  readonly revision: number;
  readonly book: LinkBook;
  /** Who asks. */
  readonly self: PeerAccount;
  /** Where the code that was sent was given out. */
  readonly offer?: LinkCodeRow;
  /** The code that was sent, if it has the form of one. */
  readonly code?: string;
  /** Wrong codes that this account has sent lately. */
  readonly failures: number;
  /** Who wrote in the conversations of the persons that this is about. */
  readonly writers: readonly PersonWriters[];
  /** For what the command may make. */
  readonly newCode: string;
  readonly newName: string;
}

export interface PersonWriters {
  readonly person: string;
  readonly key: string;
  readonly accounts: readonly WriterRow[];
}

export interface LinkQuestion {
  readonly revision: number;
  readonly book: LinkBook;
  readonly self: PeerAccount;
  readonly code: string | undefined;
  readonly agents: readonly string[];
  readonly newCode: string;
  readonly newName: string;
}

export async function readLinkFacts(
  read: Pick<StoreReads, "linkDesk" | "writers">,
  question: LinkQuestion,
): Promise<LinkFacts> {
  const { revision, book, self, code, agents, newCode, newName } = question;
  const { offer, failures } = await read.linkDesk({ ...self, code: code ?? "" });
  const asked = [self, ...(offer === undefined ? [] : [offer])].map((account) => findLink(book, account)?.person);
  const persons = new Set(asked.filter((person) => person !== undefined));
  const keys = [...persons].flatMap((person) =>
    agents.map((agentId) => ({ person, key: buildSessionKey({ agentId, kind: "dm", peer: person }) })),
  );
  const writers = await Promise.all(
    keys.map(async ({ person, key }) => ({ person, key, accounts: await read.writers(key) })),
  );
  const found = { ...(offer === undefined ? {} : { offer }), ...(code === undefined ? {} : { code }) };
  return { revision, book, self, failures, writers, newCode, newName, ...found };
}
