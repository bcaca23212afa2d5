import { createHash } from "node:crypto";

const LARGEST = 2 ** 31 - 1;

/** The draft of a turn: never 0, and the same in each process, so that one which goes on with the turn goes on in it. */
export function buildDraftId(turnId: string): number {
  return (createHash("sha256").update(turnId).digest().readUInt32BE() % LARGEST) + 1;
}
