import type { Sender } from "@banyan/plugin-sdk";
import type { NewItem } from "@banyan/store";
import { formatInnerBody } from "../lanes/item-body.ts";

function buildTaskDedupe(runId: string): string {
  return `task|${runId}`;
}

export interface TaskSpec {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly task: string;
  readonly sender: Sender;
  readonly now: number;
  /** The child's thread, where it has one; else the route of its run. */
  readonly address: string;
  readonly isBound: boolean;
  readonly hops?: number;
}

/** A run's first input. Without a thread of its own what the child says goes to no chat. */
export function buildTaskItem(spec: TaskSpec): NewItem {
  const { runId, childSessionKey, task, sender, now, address, isBound, hops } = spec;
  const id = buildTaskDedupe(runId);
  return {
    lane: childSessionKey,
    dedupe: id,
    nativeId: id,
    kind: "nested",
    address,
    runId,
    body: formatInnerBody({
      id,
      text: task,
      sender,
      at: now,
      ...(isBound ? {} : { isQuiet: true }),
      ...(hops === undefined ? {} : { hops }),
    }),
  };
}
