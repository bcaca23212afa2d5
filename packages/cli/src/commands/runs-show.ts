import {
  decideWorkState,
  measureRunMs,
  parseRunRow,
  RUN_STATUS_WORDS,
  type RunRecord,
  readQueueState,
  type TurnState,
} from "@banyan/core";
import { formatDuration, formatStats } from "@banyan/plugin-sdk";
import type { BindingRow, DeliveryRow, StoreReads } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { findStoredRun } from "../state/find-stored-run.ts";
import { listRunDeliveries } from "../state/list-deliveries.ts";
import { nothingStored } from "../state/nothing-stored.ts";
import { readState } from "../state/read-state.ts";
import { formatPlace } from "../terminal/place-text.ts";
import { formatRunText } from "../terminal/run-text.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";
import { formatDeliveryJson } from "./outbox-list.ts";
import { formatRunJson } from "./runs-list.ts";

const SPEAKERS = {
  host: "by the gateway",
  parent: "by its requester's answer",
  nobody: "not at all",
} as const;

export interface ShownRun {
  /** Task and result whole. */
  readonly run: RunRecord;
  readonly deliveries: readonly DeliveryRow[];
  /** The places whose messages go to its session. */
  readonly bindings: readonly BindingRow[];
  /** Of its session, while a turn of it works for the run. */
  readonly turn?: TurnState | undefined;
}

/** `banyan runs show`: all that is known of a run. */
export async function runsShow(given: string, options: GlobalOptions & { readonly json?: boolean }): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const found = await readState(config, (read) => readShownRun(read, given));
  if (found === undefined) throw nothingStored("looking up a run", config.stateDir, "run_not_found");
  const now = Date.now();
  if (options.json) return writeJson(formatShownRunJson(found, now));
  await writeLines(formatShownRun(found, { now, stream: process.stdout }));
}

export async function readShownRun(read: StoreReads, given: string): Promise<ShownRun> {
  const outline = await findStoredRun(read, given);
  const row = await read.run(outline.runId);
  const { childSessionKey: key } = outline;
  const { turn } = outline.state === "running" ? await readQueueState({ key, entry: {} }, read) : {};
  return {
    turn,
    run: row === undefined ? outline : parseRunRow(row),
    deliveries: await listRunDeliveries(read, outline.runId),
    bindings: await read.bindings({ sessionKey: outline.childSessionKey }),
  };
}

export function formatShownRunJson({ run, deliveries, bindings, turn }: ShownRun, now: number): object {
  return { ...formatRunJson(run, now, turn), deliveries: deliveries.map(formatDeliveryJson), bindings };
}

export function formatShownRun(
  { run, deliveries, bindings, turn }: ShownRun,
  { now, stream }: { readonly now: number; readonly stream: NodeJS.WritableStream },
): readonly string[] {
  const { body, completion } = run;
  const fields = [
    ...describeWork(run, now, turn),
    ...describeFamily(run),
    ...bindings.map(({ kind, address }) => [kind, formatPlace(address)] as const),
    ...describeTelling(run),
    ...deliveries.map((row) => ["delivery", formatDelivery(row)] as const),
    ...listTimes(run),
  ];
  return [
    ...formatTable(["", ""], fields, stream),
    ...formatRunText("task", body.task),
    ...(completion === undefined ? [] : formatRunText("result", completion.result || "(no output)")),
  ];
}

type Field = readonly [name: string, value: string];

function describeWork(run: RunRecord, now: number, turn: TurnState | undefined): readonly Field[] {
  const { body, completion, status, endedReason } = run;
  const why = endedReason === undefined || endedReason === "complete" ? "" : `, ${endedReason}`;
  const figures = completion === undefined ? formatDuration(measureRunMs(run, now)) : formatStats(completion);
  const work = decideWorkState(run, turn);
  const doing = work === "blocked" || work === "waiting_for_collect" ? ` (${work})` : "";
  const limit = body.timeoutMs === undefined ? "" : ` of at most ${formatDuration(body.timeoutMs)}`;
  return [
    ["run", run.runId],
    ["name", run.name],
    ["state", `${RUN_STATUS_WORDS[status]}${why}${doing}`],
    ...(completion?.error === undefined ? [] : [["error", completion.error] as const]),
    ["time", `${figures}${completion === undefined ? limit : ""}`],
    ["agent", [body.agentId, body.model, body.thinking].filter((part) => part !== undefined).join(" · ")],
    ["mode", `${body.mode}, depth ${body.depth}, sandbox ${body.sandbox}, cleanup ${body.cleanup}`],
    ["workspace", body.workspaceDir],
  ];
}

function describeFamily({ childSessionKey, requesterSessionKey, rootSessionKey, parentRunId, ...run }: RunRecord) {
  const asked: Field = ["asked by", `${requesterSessionKey} (${run.body.source}), in ${formatPlace(run.route)}`];
  const fields: Field[] = [["session", childSessionKey], asked];
  if (parentRunId !== undefined) fields.push(["below run", parentRunId]);
  if (rootSessionKey !== requesterSessionKey) fields.push(["tree of", rootSessionKey]);
  return fields;
}

function describeTelling({ state, status, settledBy, target, toldSessionKey, body }: RunRecord): readonly Field[] {
  if (state !== "ended") {
    const way =
      body.announce === "direct" ? "the gateway announces it in the chat" : "its requester answers in the chat";
    return [["at its end", body.expectsCompletionMessage ? way : "not announced in the chat"]];
  }
  if (status === "undone") return [["announced", "not at all: its spawn failed, so no one waits for it"]];
  const where = target === undefined || settledBy === "nobody" ? "" : `, in ${formatPlace(target)}`;
  const lane = toldSessionKey === undefined ? "no session: its requester is gone" : toldSessionKey;
  const chat = settledBy === undefined ? "not yet: its requester has not answered" : `${SPEAKERS[settledBy]}${where}`;
  return [
    ["completion to", lane],
    ["announced", chat],
  ];
}

function formatDelivery({ id, state, address, attempts, error }: DeliveryRow): string {
  const tries = attempts > 1 ? `, ${attempts} tries` : "";
  return `${id} ${state}, to ${formatPlace(address)}${tries}${error === undefined ? "" : `: ${error}`}`;
}

function listTimes({ createdAtMs, startedAtMs, endedAtMs, archivedAtMs }: RunRecord): readonly Field[] {
  const times = { accepted: createdAtMs, started: startedAtMs, ended: endedAtMs, archived: archivedAtMs };
  return Object.entries(times).flatMap(([name, at]) =>
    at === undefined ? [] : [[name, new Date(at).toISOString()] as const],
  );
}
