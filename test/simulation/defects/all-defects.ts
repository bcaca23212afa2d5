import { ackBeforeCommit } from "./ack-before-commit.ts";
import { besideTheThread } from "./beside-the-thread.ts";
import { claimedTwice } from "./claimed-twice.ts";
import { type Defect, NO_DEFECT } from "./defect.ts";
import { dropAfterRetries } from "./drop-after-retries.ts";
import { earlyCursor } from "./early-cursor.ts";
import { finishThenAnnounce } from "./finish-then-announce.ts";
import { forgottenAnchor } from "./forgotten-anchor.ts";
import { hastyArchive } from "./hasty-archive.ts";
import { lastRoute } from "./last-route.ts";
import { lateRoute } from "./late-route.ts";
import { lateTarget } from "./late-target.ts";
import { leftBehind } from "./left-behind.ts";
import { lostLineage } from "./lost-lineage.ts";
import { noCascade } from "./no-cascade.ts";
import { noCompareAndSet } from "./no-compare-and-set.ts";
import { noDedupe } from "./no-dedupe.ts";
import { noEpochFence } from "./no-epoch-fence.ts";
import { noPace } from "./no-pace.ts";
import { noRouteCheck } from "./no-route-check.ts";
import { placeGivenTwice } from "./place-given-twice.ts";
import { randomKeys } from "./random-keys.ts";
import { randomNonces } from "./random-nonces.ts";
import { sentAgain } from "./sent-again.ts";
import { standingStarter } from "./standing-starter.ts";
import { standingThread } from "./standing-thread.ts";
import { statusOverResult } from "./status-over-result.ts";
import { toldEarly } from "./told-early.ts";
import { twoSpeakers } from "./two-speakers.ts";
import { unreadGap } from "./unread-gap.ts";
import { unreadHistory } from "./unread-history.ts";
import { unstoredAnchor } from "./unstored-anchor.ts";
import { blamelessSuspects, everyonePays } from "./wrong-deaths.ts";

export const DEFECTS: readonly Defect[] = [
  noEpochFence,
  noDedupe,
  ackBeforeCommit,
  dropAfterRetries,
  lastRoute,
  blamelessSuspects,
  everyonePays,
  noRouteCheck,
  leftBehind,
  noPace,
  finishThenAnnounce,
  twoSpeakers,
  randomKeys,
  lateTarget,
  hastyArchive,
  noCascade,
  lostLineage,
  noCompareAndSet,
  lateRoute,
  besideTheThread,
  claimedTwice,
  earlyCursor,
  randomNonces,
  standingStarter,
  standingThread,
  unreadGap,
  unreadHistory,
  toldEarly,
  statusOverResult,
  placeGivenTwice,
  unstoredAnchor,
  forgottenAnchor,
  sentAgain,
];

export function findDefect(name: string): Defect {
  const found = [NO_DEFECT, ...DEFECTS].find((defect) => defect.name === name);
  if (found !== undefined) return found;
  const known = DEFECTS.map((defect) => defect.name).join(", ");
  throw new Error(`A defect was looked up: there is none of the name ${name}; take one of ${known}`);
}
