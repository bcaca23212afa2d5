import { setTimeout as wait } from "node:timers/promises";
import { formatPlainLine, measureRunMs, RUN_STATUS_WORDS, type RunNode, type RunRecord } from "@banyan/core";
import { formatDuration } from "@banyan/plugin-sdk";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { createTreeLook, type ShownTree } from "../state/look-at-trees.ts";
import { readState } from "../state/read-state.ts";
import { ChangedRuns, watchTrees } from "../state/watch-trees.ts";
import { shortenText } from "../terminal/plain-text.ts";
import { RedrawnLines, type Terminal } from "../terminal/redrawn-lines.ts";
import { formatTrees } from "../terminal/tree-lines.ts";
import { writeJson, writeLines, writeOut } from "../terminal/write-out.ts";
import { formatRunJson } from "./runs-list.ts";

const LOOK_EVERY_MS = 1_000;
const ID_CHARS = 9;
/** Where the output is no terminal, or is read once. */
const UNBOUND_COLUMNS = 120;
const UNBOUND_ROWS = 1_000;

export interface RunsTreeOptions extends GlobalOptions {
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** `banyan runs tree`: sub-agents as a tree, and with `--watch` as they go on. */
export async function runsTree(given: string | undefined, { watch, json, ...options }: RunsTreeOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const isThere = await readState(config, async (read) => {
    const look = await createTreeLook(read, given);
    if (watch) await watchTrees({ look, show: createShow(process.stdout, json ?? false), pause: createPause() });
    else await printTrees(await look(), json ?? false);
    return true;
  });
  if (!isThere) await printTrees([], json ?? false);
}

function printTrees(trees: readonly ShownTree[], asJson: boolean): Promise<void> {
  const now = Date.now();
  if (asJson) return writeJson(formatTreesJson(trees, now));
  const columns = process.stdout.columns ?? UNBOUND_COLUMNS;
  return writeLines(formatTrees(trees, { now, columns, rows: UNBOUND_ROWS }));
}

export function formatTreesJson(trees: readonly ShownTree[], now: number): object {
  const formatNode = ({ run, children }: RunNode): object => ({
    ...formatRunJson(run, now),
    children: children.map(formatNode),
  });
  return trees.map(({ sessionKey, nodes }) => ({ sessionKey, runs: nodes.map(formatNode) }));
}

/** On a terminal the trees are drawn again in their place; elsewhere each change is one line. */
function createShow(output: Terminal & { readonly isTTY?: boolean }, asJson: boolean) {
  if (output.isTTY && !asJson) {
    const screen = new RedrawnLines(output);
    return async (trees: readonly ShownTree[]) =>
      screen.draw(formatTrees(trees, { now: Date.now(), columns: screen.columns, rows: screen.rows }));
  }
  const changes = new ChangedRuns();
  return async (trees: readonly ShownTree[]) => {
    const now = Date.now();
    const format = (run: RunRecord) => (asJson ? JSON.stringify(formatRunJson(run, now)) : formatChange(run, now));
    for (const run of changes.take(trees)) await writeOut(`${format(run)}\n`);
  };
}

/** `  9f3a1111…  words 1/3  done  0.3 s  4,210 words`. */
export function formatChange(run: RunRecord, now: number): string {
  const cells = [
    shortenText(run.runId, ID_CHARS),
    formatPlainLine(run.name),
    RUN_STATUS_WORDS[run.status],
    formatDuration(measureRunMs(run, now)),
    run.note ?? "",
  ];
  return `  ${cells.join("  ").trimEnd()}`;
}

/** Ctrl-C ends the watching and leaves what was drawn last. */
function createPause(): () => Promise<boolean> {
  const leaving = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => leaving.abort());
  const { signal } = leaving;
  return () =>
    wait(LOOK_EVERY_MS, true, { signal }).catch((error: unknown) => {
      if (signal.aborted) return false;
      throw error;
    });
}
