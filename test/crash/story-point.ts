/** Fault points at which a story of `pnpm test:long` kills the process. A story fails if its point is never reached. */
import { ALBUM_DEATHS } from "./album-story.ts";
import { BUSY_CHAT_POINTS, KILL_POINTS, STOP_POINTS } from "./crash-point.ts";
import { ACP_POINTS } from "./foreign-story.ts";
import { ALBUM_POINTS, FILE_POINTS, SEND_POINTS } from "./media-story.ts";
import { LINK_POINTS, MOVE_POINTS } from "./people-story.ts";
import { RESTORE_POINTS } from "./restore-story.ts";
import { TREE_POINTS } from "./tree-point.ts";

const ALBUM_PLANS = ALBUM_DEATHS.map(({ plan }) => plan);

export function listStoryPoints(): ReadonlySet<string> {
  const plans = [
    ...[
      KILL_POINTS,
      BUSY_CHAT_POINTS,
      STOP_POINTS,
      MOVE_POINTS,
      LINK_POINTS,
      FILE_POINTS,
      ALBUM_POINTS,
      ALBUM_PLANS,
      SEND_POINTS,
      ACP_POINTS,
      RESTORE_POINTS,
    ].flat(),
    ...TREE_POINTS.flatMap((point) => point.plans),
  ];
  return new Set(plans.map(({ point }) => point));
}
