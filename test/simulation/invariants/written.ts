import type { NewDelivery, ReceivedItem, ReceivedResult, Step, StepResults } from "@banyan/plugin-sdk/store";

/** The deliveries that a step wrote. */
export function listWritten(step: Step, result: StepResults[keyof StepResults]): readonly NewDelivery[] {
  if (result.status !== "done") return [];
  if (step.step === "commit_turn" || step.step === "command" || step.step === "settle_pairing") return step.deliveries;
  if (step.step !== "receive" || !isReceived(result)) return [];
  return step.items.flatMap(({ deliveries = [], ifFull }, at) => {
    const standing = new Set(result.items[at]?.deliveries);
    return [...deliveries, ...(ifFull === undefined ? [] : [ifFull])].filter(({ id }) => standing.has(id));
  });
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
