import type { CommandContext, CommandDecision } from "../../commands/command.ts";
import { isUnfinished, type RunRecord } from "../../runs/run-record.ts";
import { readPresentRuns } from "../direct/wait-for-runs.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { waitFor } from "../wait/wait-for.ts";
import { readDirectedRuns } from "./directed-runs.ts";
import { tellWhenDone } from "./run-info.ts";
import { boldRun, describeState } from "./run-rows.ts";
import { parseWaitOrder } from "./wait-order.ts";

/** Below that an answer is a scroll. */
const MOST_NAMED = 15;
/** More than any conversation has open. */
const MOST_ITEMS = 1_000;
const BEHIND = "I wait no longer, since there is more to do here.";

/**
 * `/subagents wait`: as the tool's, until they have ended or the time is over; states only, results come by themselves.
 * A command is written in one step, so it waits before that: other commands pass it, and what else stands behind it ends
 * the waiting, since it cannot begin before. One that is cut off waits anew with the next start.
 */
export async function decideWait(
  context: CommandContext,
  line: string,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const { ports, signal } = parts;
  const order = parseWaitOrder(await readDirectedRuns(context, parts), line, context.now);
  if (order.kind === "none") return { answer: order.answer };
  const end = await waitForEnd(order, context, parts);
  if (end === undefined) signal.throwIfAborted();
  const runs = await readPresentRuns(order.runs, parts);
  return { answer: [...(end === "behind" ? [BEHIND] : []), ...tellStates(runs, ports.clock.now())].join("\n") };
}

/** `undefined`: the time is over, or the gateway stops. */
function waitForEnd(
  { runs, timeoutMs }: { readonly runs: readonly RunRecord[]; readonly timeoutMs: number },
  context: CommandContext,
  parts: SubagentParts,
): Promise<"ended" | "behind" | undefined> {
  const { hooks, ports, signal } = parts;
  const look = async () => {
    if (!(await readPresentRuns(runs, parts)).some(isUnfinished)) return "ended";
    return (await holdsUp(context, parts)) ? "behind" : undefined;
  };
  return waitFor<"ended" | "behind">(look, {
    timeoutMs,
    signal,
    clock: ports.clock,
    listen(wake) {
      const untap = [hooks.subagent_ended, hooks.message_received].map((hook) => hook.tap("/subagents wait", wake));
      return () => {
        for (const end of untap) end();
      };
    },
  });
}

/** Whether something waits for this command to be over. What is only written down has time. */
async function holdsUp({ record, seq }: CommandContext, { store }: SubagentParts): Promise<boolean> {
  const open = await store.read.openItems({ lane: record.key, limit: MOST_ITEMS });
  return open.some(
    (item) => item.seq > seq && item.kind !== "command" && item.state === "waiting" && item.wake !== "append",
  );
}

function tellStates(runs: readonly RunRecord[], now: number): readonly string[] {
  const [run, ...more] = runs;
  if (run === undefined) return ["They are gone now."];
  if (more.length === 0) return [tellWhenDone(run, now)];
  const lines = runs.slice(0, MOST_NAMED).map((each) => `- ${boldRun(each)}: ${describeState(each, now)}`);
  const hidden = runs.length - lines.length;
  const atWork = runs.filter(isUnfinished).length;
  const head = atWork === 0 ? "All have ended:" : `${atWork} of ${runs.length} at work yet:`;
  return [head, ...lines, ...(hidden === 0 ? [] : [`- … and ${hidden} more`])];
}
