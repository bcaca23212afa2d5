import { CanopyPlatform } from "../stage/canopy-platform.ts";
import type { CanopyThread } from "../stage/canopy-record.ts";
import { buildCanopyGrove } from "../stage/canopy-town.ts";
import type { TreePlace } from "./tree-place.ts";

const PARENT = { kind: "group", chat: "grove" } as const;

/** What a run's end puts before its thread's name. */
const MARK = /^(✅|❌|⏱|⏹) /;

/**
 * A group on a platform with threads. `where` of what is said there is a thread's name as it was opened. What was told in a
 * thread stands behind that name. `left`: the threads at the end and how they stand; every other one was taken back.
 */
export async function openThreadPlace(left: readonly string[]): Promise<TreePlace> {
  const platform = await new CanopyPlatform().open();
  const { files = {}, config = {} } = buildCanopyGrove(platform);
  const { messages, threads } = platform.record;
  const findOpen = (name: string) =>
    threads.findLast((thread) => nameOf(thread.id) === name && thread.state === "open");
  const nameOf = (id: string) => (threads.find((thread) => thread.id === id)?.name ?? id).replace(MARK, "");
  return {
    env: {},
    config,
    files,
    marksRepeats: false,
    async says(text, _lives, where) {
      const thread = where === undefined ? undefined : await platform.until(where, () => findOpen(where));
      const place = thread?.place ?? PARENT;
      platform.say({ from: "ada", place, text, addressed: thread === undefined });
    },
    texts: async () =>
      messages
        // What stood in a thread that was taken back is gone with it.
        .filter(({ place }) => threads.find(({ id }) => id === place.thread)?.state !== "gone")
        .map(({ place, text }) => (place.thread === undefined ? text : `${nameOf(place.thread)}: ${text}`)),
    async lose(call) {
      if (call === "edit") throw new Error("Losing a call: this platform edits nothing; lose another one");
      const count = () => platform.calls.filter((made) => made === call).length;
      const before = count();
      platform.fail(call, "held");
      const find = () => (count() > before ? true : undefined);
      return {
        taken: () => platform.until(`a call to ${call}`, find).then(() => undefined),
        end: async () => undefined,
      };
    },
    findFault: () => findThreadFault(threads, left),
    close: () => platform.close(),
  };
}

function findThreadFault(threads: readonly CanopyThread[], left: readonly string[]): string | undefined {
  const standing = threads.filter(({ state }) => state !== "gone").map(({ name, state }) => `${name} ${state}`);
  const found = standing.toSorted().join();
  return found === left.join() ? undefined : `the threads are: ${found}`;
}
