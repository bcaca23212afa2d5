import { readSnowflakeTime } from "../ports/snowflake.ts";
import type { Channel, ThreadState } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { changeThread } from "./change-thread.ts";

const MINUTE_MS = 60_000;

/** Archives a thread when nobody has written for its time; one alarm for each thread, however much is written. */
export function watchRest(world: World, channel: Channel): void {
  const { thread } = channel;
  if (thread === undefined) return;
  // One that is brought back meanwhile rests for its whole time from then, which is never over before this alarm.
  const restMs = thread.isArchived
    ? thread.autoArchiveMin * MINUTE_MS
    : readRestEnd(channel, thread) - world.clock.nowMs();
  const waitMs = Math.max(MINUTE_MS, restMs);
  world.clock.schedule(waitMs, () => {
    if (channel.isDeleted) return;
    const isOver = readRestEnd(channel, thread) <= world.clock.nowMs();
    if (isOver && !thread.isArchived) changeThread(world, channel, thread, { isArchived: true });
    watchRest(world, channel);
  });
}

/** Activity is what was written, and the opening or bringing back of the thread (Threads, "Active & Archived"). */
function readRestEnd({ lastMessageId }: Channel, thread: ThreadState): number {
  const writtenAtMs = lastMessageId === null ? 0 : readSnowflakeTime(lastMessageId);
  const activeAtMs = Math.max(writtenAtMs, thread.createdAtMs, thread.archiveChangedAtMs);
  return activeAtMs + thread.autoArchiveMin * MINUTE_MS;
}
