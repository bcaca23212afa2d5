import { createAccess, createPrivacy } from "./access.ts";
import { createAnchors } from "./anchors.ts";
import { createArchives } from "./archives.ts";
import { createCascade } from "./cascade.ts";
import { createChildBounds } from "./child-bounds.ts";
import { createCompletionEntries, createCompletionItems } from "./completions.ts";
import { createEdits } from "./edits.ts";
import { createFairness } from "./fairness.ts";
import type { Invariant } from "./invariant.ts";
import { createLaneFence, createLaneOrder, createOneTurn } from "./lane-order.ts";
import { createMemoryBounds } from "./memory-bounds.ts";
import { createMovedChats } from "./moved-chats.ts";
import { createDeliveryCount, createOutboxKept, createPartOrder } from "./outbox-kept.ts";
import { createPace } from "./pace.ts";
import { createPromise } from "./promise.ts";
import { createDedupe, createKeptInbound } from "./receiving.ts";
import { createRecovery } from "./recovery.ts";
import { createRightChat } from "./right-chat.ts";
import { createRunLife } from "./run-life.ts";
import { createRunTree } from "./run-tree.ts";
import { createRunWake } from "./run-wake.ts";
import { createSecretKept } from "./secrets.ts";
import { createSpawnThreads } from "./spawn-threads.ts";
import { createSpeakers } from "./speakers.ts";
import { createSuspects } from "./suspects.ts";
import { createTimerTimes } from "./timer-times.ts";
import { createToolResults } from "./tool-results.ts";
import { createRateLimits, createRetryTimes } from "./waiting.ts";

/**
 * Everything that must hold in a world, new for each. `isInterrupting`: newer messages take the place of what runs.
 * `isKilled`: the process is killed from outside, again and again.
 */
export function createInvariants(isInterrupting: boolean, isKilled: boolean): readonly Invariant[] {
  return [
    createCompletionEntries(),
    createRunLife(),
    createCompletionItems(),
    createSpeakers(),
    createRunTree(),
    createChildBounds(),
    createRunWake(),
    createCascade(),
    createTimerTimes(),
    createArchives(),
    createOneTurn(),
    createLaneOrder(isInterrupting),
    ...createLaneFence(),
    createOutboxKept(),
    createDeliveryCount(),
    createAnchors(),
    createRightChat(),
    createPartOrder(),
    createKeptInbound(),
    createDedupe(),
    createRetryTimes(),
    createRateLimits(),
    createFairness(),
    createMemoryBounds(),
    createRecovery(),
    createSecretKept(),
    createToolResults(),
    createPromise(),
    createAccess(),
    createPrivacy(),
    createMovedChats(),
    createPace(),
    createEdits(),
    createSpawnThreads(),
    createSuspects(isKilled),
  ];
}
