import { isUnfinished } from "@banyan/store";
import { parseRunRow, type RunRecord } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import type { ToolAnswer } from "../tools/tool-answer.ts";
import { waitFor } from "../wait/wait-for.ts";
import type { DirectingCall } from "./directing-call.ts";
import { describeRuns } from "./look-at-runs.ts";

/** Where nobody says how long. */
export const DEFAULT_WAIT_MS = 60_000;

/** Until all of them have ended. States only: results come as completions, each to who is owed it. */
export async function waitForRuns(
  { runs, listed, timeoutMs = DEFAULT_WAIT_MS, context }: DirectingCall,
  parts: SubagentParts,
): Promise<ToolAnswer> {
  const { hooks, ports, rest } = parts;
  const { signal, event } = context;
  const look = async () => {
    const present = await readPresentRuns(runs, parts);
    return present.some(isUnfinished) ? undefined : present;
  };
  const listen = (wake: () => undefined) => hooks.subagent_ended.tap("subagents wait", wake);
  const wait = () => waitFor(look, { timeoutMs, signal, clock: ports.clock, listen });
  // A suspect that finds what it asks for has not waited, so it stays one.
  const ended = (await look()) ?? (await rest(event.sessionKey, wait));
  return {
    status: ended === undefined ? "timeout" : "ended",
    runs: await describeRuns(ended ?? (await readPresentRuns(runs, parts)), listed, parts),
  };
}

/** One that is gone had ended long before. */
export async function readPresentRuns(
  runs: readonly RunRecord[],
  { store }: Pick<SubagentParts, "store">,
): Promise<readonly RunRecord[]> {
  const rows = await Promise.all(runs.map(({ runId }) => store.read.run(runId)));
  return rows.filter((row) => row !== undefined).map(parseRunRow);
}
