import { styleText } from "node:util";
import type { GatewayStatus } from "@banyan/core";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { readStatus, type StateStatus } from "../state/read-status.ts";
import { countOf } from "../terminal/count-of.ts";
import { formatDuration } from "../terminal/relative-time.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

/** `banyan status`: what runs and what waits. A gateway that is off is an answer, not a failure. */
export async function status(options: GlobalOptions & { readonly json?: boolean }): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const found = await readStatus(config);
  if (options.json) return writeJson(formatStatusJson(found, config.stateDir));
  await writeLines(formatStatus(found, config.stateDir, process.stdout));
}

/** One shape with and without a gateway: what is not known is left out. */
export function formatStatusJson(
  { gateway, silent, counts, loss, undelivered }: StateStatus,
  stateDir: string,
): object {
  const stored = {
    stateDir,
    ...(counts === undefined ? {} : { counts }),
    undelivered,
  };
  if (silent !== undefined) {
    const pid = silent.pid === undefined ? {} : { pid: silent.pid };
    return { running: true, state: "silent", ...pid, detail: silent.message, ...stored };
  }
  if (gateway === undefined) return { running: false, ...(loss === undefined ? {} : { loss }), ...stored };
  const { status: state, failure, version, uptimeMs, accounts, running: turnsRunning, tools: toolCalls } = gateway;
  const failed = failure === undefined ? {} : { failure };
  const calls = toolCalls === undefined ? {} : { toolCalls };
  return { running: true, state, ...failed, version, uptimeMs, turnsRunning, ...calls, accounts, ...stored };
}

export function formatStatus(
  { gateway, silent, counts, loss, undelivered }: StateStatus,
  stateDir: string,
  stream: NodeJS.WritableStream,
): readonly string[] {
  const stored =
    counts === undefined
      ? []
      : [
          countOf(counts.sessions, "session"),
          ...listWorking(counts),
          `${counts.waitingItems} waiting`,
          `${counts.unsettledDeliveries} undelivered`,
          ...listAsking(counts),
        ];
  if (loss !== undefined) return [`  not running · state ${stateDir}`, `  ${loss}`];
  if (gateway === undefined) {
    const what = stored.length === 0 ? "nothing stored yet" : stored.join(" · ");
    const head =
      silent === undefined
        ? [`  not running · state ${stateDir} · banyan start opens the gateway`]
        : [`  ${silent.holder} uses ${stateDir} and does not respond`, `  ${silent.cure}`];
    return [...head, `  ${what}`, ...formatTable(["", ""], listUndelivered(undelivered), stream)];
  }
  const { status: state, failure } = gateway;
  const head = failure === undefined ? formatHead(gateway, counts ?? gateway.counts) : `  ${state}: ${failure}`;
  return [head, ...formatAccounts(gateway, undelivered, stream)];
}

function formatHead(gateway: GatewayStatus, counts: GatewayStatus["counts"]): string {
  const channels = new Set(Object.keys(gateway.accounts).map((name) => name.split("/")[0]));
  const parts = [
    `${gateway.status === "ok" ? "up" : `${gateway.status}, up`} ${formatDuration(gateway.uptimeMs)}`,
    countOf(channels.size, "channel"),
    countOf(counts.sessions, "session"),
    `${countOf(gateway.running, "turn")} running`,
    ...listWorking(counts),
    `${counts.waitingItems} waiting`,
    ...listAsking(counts),
  ];
  return `  ${parts.join(" · ")}`;
}

function listWorking({ unfinishedRuns }: GatewayStatus["counts"]): readonly string[] {
  return unfinishedRuns === 0 ? [] : [`${countOf(unfinishedRuns, "sub-agent")} at work`];
}

function listAsking({ pendingPairings }: GatewayStatus["counts"]): readonly string[] {
  return pendingPairings === 0 ? [] : [`${countOf(pendingPairings, "stranger")} asking: banyan pair list`];
}

function formatAccounts(
  { accounts }: GatewayStatus,
  undelivered: StateStatus["undelivered"],
  stream: NodeJS.WritableStream,
): readonly string[] {
  const rows = Object.entries(accounts).map(([name, { state, detail }]) => [
    name,
    state,
    `${undelivered[name] ?? 0} undelivered`,
    detail ?? "",
  ]);
  // What waits for an account that is no longer configured would else never be seen.
  const gone = listUndelivered(undelivered)
    .filter(([name]) => !Object.hasOwn(accounts, name))
    .map(([name, count]) => [name, "not configured", count]);
  return formatTable(["", "", "", ""], [...rows, ...gone], stream).map((line) =>
    / failed /.test(line) ? styleText("red", line, { stream }) : line,
  );
}

function listUndelivered(undelivered: StateStatus["undelivered"]): (readonly [string, string])[] {
  return Object.entries(undelivered).map(([name, count]) => [name, `${count} undelivered`]);
}
