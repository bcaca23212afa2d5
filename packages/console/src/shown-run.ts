import { isUnfinished, measureRunMs, RUN_STATUS_WORDS, type RunNode, type RunRecord } from "@banyan/core";
import type { DeliveryBody, DeliveryRow, DeliveryState } from "@banyan/store";
import type { TreeRun } from "./page/run-tree.ts";

/** What is known of the message about a run. */
export interface DeliveryNews {
  readonly delivery: string;
  readonly isUndelivered?: true;
}

const ON_ITS_WAY: DeliveryNews = { delivery: "on its way to the chat" };
const NEWS: Readonly<Partial<Record<DeliveryState, DeliveryNews>>> = {
  pending: ON_ITS_WAY,
  sending: ON_ITS_WAY,
  stuck: { delivery: "stuck on its way to the chat", isUndelivered: true },
  unknown: { delivery: "perhaps not in the chat", isUndelivered: true },
  undeliverable: { delivery: "could not be sent to the chat", isUndelivered: true },
};

/** Deliveries in these states are worth a word. */
export const TOLD_DELIVERY_STATES: readonly DeliveryState[] = [
  "pending",
  "sending",
  "stuck",
  "unknown",
  "undeliverable",
];

/** As the page reads it. */
export function buildShownRun(
  { run, children }: RunNode,
  news: ReadonlyMap<string, DeliveryNews>,
  now: number,
): TreeRun {
  const tokens = run.completion?.totalTokens;
  return {
    id: run.runId,
    name: run.name,
    status: run.status,
    words: RUN_STATUS_WORDS[run.status],
    isUnfinished: isUnfinished(run),
    ms: measureRunMs(run, now),
    ...(tokens === undefined ? {} : { tokens }),
    ...(run.note === undefined ? {} : { note: run.note }),
    ...(news.get(run.runId) ?? describeSilence(run)),
    children: children.map((child) => buildShownRun(child, news, now)),
  };
}

/** By run. Of several parts the last one that there is something to say of. */
export function listDeliveryNews(rows: readonly DeliveryRow[]): ReadonlyMap<string, DeliveryNews> {
  const found = new Map<string, DeliveryNews>();
  for (const row of rows) {
    const news = NEWS[row.state];
    if (row.kind !== "completion" || news === undefined) continue;
    const { announcement }: DeliveryBody = JSON.parse(row.body);
    const runIds = new Set([row.runId, ...(announcement?.alsoRunIds ?? [])]);
    for (const runId of runIds) if (runId !== undefined) found.set(runId, news);
  }
  return found;
}

/** Ended, and its requester has not told the chat yet. */
function describeSilence({ state, settledBy, body }: RunRecord): Partial<DeliveryNews> {
  return state === "ended" && settledBy === undefined && body.expectsCompletionMessage
    ? { delivery: "not announced yet" }
    : {};
}
