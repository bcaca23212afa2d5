import { countStarts, type ItemRow } from "@banyan/store";
import { pause } from "../ports/pause.ts";
import type { CommandParts } from "./command-parts.ts";

/** As many of one lane as are looked through. */
const MOST_ITEMS = 1_000;
const LOOK_EVERY_MS = 25;
/** A place among the running lanes may be long in coming; the command is then decided as things stand. */
const PATIENCE_MS = 5_000;

/**
 * Of a command that stops a turn: where the turn that ran when it was given was cut off, by a death or by a chat that moved,
 * that turn is first begun again, so that there is something to stop. Else it would go on as if nobody had said anything.
 */
export async function resumeCutTurn(item: ItemRow, parts: CommandParts): Promise<void> {
  const { ports, runs, signal } = parts;
  const due = ports.clock.monotonic() + PATIENCE_MS;
  while (!signal.aborted && (await isCut(item, parts))) {
    runs.wakeLanes([item.lane]);
    if (ports.clock.monotonic() >= due) return;
    await pause(ports.clock, LOOK_EVERY_MS, signal);
  }
}

/** A turn of something that stands before the command was begun, and waits again. */
async function isCut({ lane, seq }: ItemRow, { store }: CommandParts): Promise<boolean> {
  const { active } = await store.read.lane(lane);
  if (active.length > 0) return false;
  const open = await store.read.openItems({ lane, limit: MOST_ITEMS });
  const before = open.filter((item) => item.state === "waiting" && item.kind !== "command" && item.seq < seq);
  if (before.some((item) => countStarts(item) > 0)) return true;
  // An orderly stop gives the attempt back; what the turn has written stays.
  const [first] = before;
  return first !== undefined && (await store.read.entriesOfItem({ itemSeq: first.seq })).length > 0;
}
