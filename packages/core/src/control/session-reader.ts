import type { WriterRow } from "@banyan/store";
import type { SharedReaders } from "../config/shapes/shared-readers.ts";
import type { DmScope } from "../sessions/keys/dm-scope.ts";
import type { IdentityLinks } from "../sessions/keys/identity-links.ts";
import { decodeSegment } from "../sessions/keys/key-segment.ts";
import { GLOBAL_SESSION_KEY } from "../sessions/keys/session-key.ts";
import { parseSessionKeyParts } from "../sessions/keys/session-key-parts.ts";

/** By what it is decided who reads under a key. */
export interface ReaderRules {
  readonly links: IdentityLinks;
  readonly scope: "per-sender" | "global";
  /** Every scope that the configuration has anywhere. */
  readonly dmScopes: ReadonlySet<DmScope>;
  readonly shared: readonly SharedReaders[];
}

/** Somebody who would read what another has written. */
export interface ForeignReader {
  /** Whose writing it is. */
  readonly writer: Pick<WriterRow, "channel" | "peer">;
  /** Who would read it, as errors name him. */
  readonly reader: string;
}

/**
 * Whom a conversation with these writers would be shown to under another key, where that is not they themselves. Pure;
 * `undefined`: the move shows nobody what another has written.
 */
export function findForeignReader(
  to: string,
  writers: readonly Pick<WriterRow, "channel" | "peer">[],
  rules: ReaderRules,
): ForeignReader | undefined {
  const { name: reader, isOwn } = describeReader(to, rules);
  const writer = writers.find((each) => !isOwn(each));
  return writer === undefined ? undefined : { writer, reader };
}

type Reader = Pick<SharedReaders, "name" | "isOwn">;

function describeReader(to: string, { links, scope, dmScopes, shared }: ReaderRules): Reader {
  const parts = parseSessionKeyParts(to);
  if (to === GLOBAL_SESSION_KEY || parts?.kind === "main") {
    const name = `the person who talks with ${to === GLOBAL_SESSION_KEY ? "the global session" : "the agent's main session"}`;
    return shared.find(({ key }) => key === to) ?? { name, isOwn: () => false };
  }
  if (parts?.kind !== "dm") return { name: "everybody in that group", isOwn: () => false };
  const peer = decodeSegment(parts.peer);
  if (parts.channel !== undefined) {
    const { channel } = parts;
    return { name: `${channel}:${peer}`, isOwn: (writer) => writer.channel === channel && writer.peer === peer };
  }
  if (links.persons.has(peer))
    return { name: peer, isOwn: (writer) => links.find(writer.channel, writer.peer) === peer };
  // A name that nobody has leads to no session, unless a sender's id alone does.
  if (scope === "global" || !dmScopes.has("per-peer")) return { name: peer, isOwn: () => true };
  return { name: `the person with the id ${peer}`, isOwn: (writer) => writer.peer === peer };
}
