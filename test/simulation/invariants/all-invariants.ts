import { createAccess, createPrivacy } from "./access.ts";
import { createCompletionEntries, createCompletionItems } from "./completions.ts";
import { createEdits } from "./edits.ts";
import { createFairness } from "./fairness.ts";
import type { Invariant } from "./invariant.ts";
import { createLaneFence, createLaneOrder, createOneTurn } from "./lane-order.ts";
import { createMemoryBounds } from "./memory-bounds.ts";
import { createMovedChats } from "./moved-chats.ts";
import { createDeliveryCount, createOutboxKept, createPartOrder, createRightChat } from "./outbox-kept.ts";
import { createPace } from "./pace.ts";
import { createPromise } from "./promise.ts";
import { createDedupe, createKeptInbound } from "./receiving.ts";
import { createRecovery } from "./recovery.ts";
import { createRunLife } from "./run-life.ts";
import { createSecretKept } from "./secrets.ts";
import { createToolResults } from "./tool-results.ts";
import { createRateLimits, createRetryTimes } from "./waiting.ts";

/** Everything that must hold in a world, new for each. */
export function createInvariants(): readonly Invariant[] {
  return [
    createCompletionEntries(),
    createRunLife(),
    createCompletionItems(),
    createOneTurn(),
    createLaneOrder(),
    ...createLaneFence(),
    createOutboxKept(),
    createDeliveryCount(),
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
  ];
}
