import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { countWords } from "../words/count-words.ts";
import type { FileListing } from "../words/file-listing.ts";
import { formatNotice, formatPlace } from "../words/list-place.ts";
import { buildShareTask } from "./child-task.ts";
import { spawnChild } from "./spawn-child.ts";

const CHILDREN = 3;
const NAMES = ["no", "one", "two", "three"] as const;

/** Fewer files are counted sooner than children are started. */
export function isWorthSplitting({ files }: FileListing): boolean {
  return files.length >= CHILDREN;
}

/** Splits a count over children; where none may be started it is done here. */
export async function delegateWords(turn: LiveTurn, dir: string, listing: FileListing): Promise<void> {
  for (let part = 1; part <= CHILDREN; part += 1) {
    const answer = await spawnChild(turn, buildShareTask({ dir, part, of: CHILDREN }));
    if (answer.kind === "accepted") continue;
    // What refuses one refuses the next; the shares that are left are counted when the others are there.
    if (part > 1) return turn.say(formatRest(dir, part - 1, answer.reason));
    await turn.say(`I count alone, because a sub-agent was refused: ${answer.reason}.\n`);
    return countWords(turn, dir, listing);
  }
  const split = `I split ${formatPlace(dir)} over ${NAMES[CHILDREN]} sub-agents.`;
  await turn.say([split, ...listing.notices.map(formatNotice)].join("\n"));
}

function formatRest(dir: string, started: number, reason: string): string {
  const [verb, end] = started === 1 ? ["sub-agent counts", "it is"] : ["sub-agents count", "they are"];
  const name = `${NAMES[started]?.charAt(0).toUpperCase()}${NAMES[started]?.slice(1)}`;
  return `${name} ${verb} a part of ${formatPlace(dir)}; one more was refused: ${reason}. I count the rest when ${end} done.`;
}
