import type { Address, Sender } from "@banyan/plugin-sdk";
import type { SessionRecord } from "../../sessions/session-record.ts";

/** Who asks for a sub-agent: a turn by a tool, or a person by a command. */
export interface SpawnAsker {
  readonly source: "tool" | "command";
  readonly sessionKey: string;
  /** Its record, where it was read just now. The reservation finds out whether the session still stands. */
  readonly record?: SessionRecord;
  /** Where the turn or the command speaks: the route that is frozen with the reservation. */
  readonly address: Address;
  /** Whom the child sees its task from. */
  readonly sender: Sender;
  /** The platform's id of whoever brought it about; absent: nobody is known. */
  readonly person?: string;
  /** The lane item of the turn or command. */
  readonly itemSeq: number;
  /** The turn's claim of its lane; absent for a command. */
  readonly epoch?: number;
  /** The call of that turn: with the item the key by which a repeated call is known. 0 for a command. */
  readonly ordinal: number;
  /** The row of the delivery that shows how what it asks for fares. */
  readonly anchor?: string;
  /** The run that the turn works for. */
  readonly runId?: string;
  /** Aborts when nobody waits for the answer any more; absent: it is always waited for. */
  readonly signal?: AbortSignal;
  /** The turn speaks to no chat. */
  readonly isQuiet?: boolean;
  /** Messages from agent to agent that led to that turn. */
  readonly hops?: number;
}

export function buildSpawnDedupe({ itemSeq, ordinal }: Pick<SpawnAsker, "itemSeq" | "ordinal">): string {
  return `spawn|${itemSeq}|${ordinal}`;
}
