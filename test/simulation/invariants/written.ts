import type { EndRuns, NewDelivery, ReceivedItem, ReceivedResult, RunEnd, Step, StepResults } from "@banyan/store";

/** The deliveries that a step wrote. */
export function listWritten(step: Step, result: StepResults[keyof StepResults]): readonly NewDelivery[] {
  if (result.status !== "done") return [];
  const ofEnds = listEnds(step, result).flatMap(({ deliveries }) => deliveries);
  if (step.step === "end_runs") return ofEnds;
  if (step.step === "commit_turn" || step.step === "command") return [...step.deliveries, ...ofEnds];
  if (step.step === "settle_pairing" || step.step === "announce_run") return step.deliveries;
  if (step.step === "set_timers" || step.step === "tool_result") return step.deliveries ?? [];
  if (step.step !== "receive" || !isReceived(result)) return [];
  return step.items.flatMap(({ deliveries = [], ifFull }, at) => {
    const standing = new Set(result.items[at]?.deliveries);
    return [...deliveries, ...(ifFull === undefined ? [] : [ifFull])].filter(({ id }) => standing.has(id));
  });
}

/** The ends of runs that a step wrote. */
function listEnds(step: Step, result: Results): readonly RunEnd[] {
  if (result.status !== "done") return [];
  const carried: EndRuns | undefined = step.step === "end_runs" ? step : findCarried(step, result);
  return carried?.ends ?? [];
}

function findCarried(step: Step, result: Results): EndRuns | undefined {
  if (step.step === "command") return step.runs;
  return step.step === "commit_turn" && "run" in result && result.run === "ended" ? step.run : undefined;
}

type Results = StepResults[keyof StepResults];
export type Received = Extract<Results, { readonly items: readonly ReceivedResult[] }>;

export function isReceived(result: Results): result is Received {
  return "items" in result && Array.isArray(result.items) && result.items.every((item) => typeof item === "object");
}

/** The lanes that a step moved to other keys. */
export function listLaneMoves(step: Step): readonly { readonly from: string; readonly to: string }[] {
  if (step.step === "rekey") return [step.move];
  return step.step === "migrate_chat" ? step.sessions : [];
}

/** The messages and commands that a step took in. */
export function listStored(step: Step, result: Results): readonly ReceivedItem[] {
  if (step.step !== "receive" || !isReceived(result)) return [];
  return step.items.filter(({ refused }, at) => refused === undefined && result.items[at]?.outcome === "stored");
}
