import type { NewItem, Step, StepResults } from "../../index.ts";

/** What a model run knows of what it did. */
export interface ModelState {
  /** Makes new ids. */
  serial: number;
  /** Steps that may be sent again. Those from before a prune are forgotten: what they left is gone. */
  readonly sent: Step[];
  readonly items: { readonly lane: string; readonly seq: number; readonly dedupe: string; readonly nativeId: string }[];
  readonly claimIds: string[];
  readonly deliveryIds: string[];
  readonly entryIds: string[];
  readonly sessionIds: string[];
  readonly runIds: string[];
  /** Keys that sessions were moved to, beside `modelLanes`; nobody writes to them. */
  readonly movedKeys: string[];
  /** Grows with each prune: a pruned row no longer keeps its key quiet. */
  prunes: number;
}

export const modelLanes = [
  "agent:main:main",
  "agent:main:test:dm:ada",
  "agent:two:test:dm:bob",
  "global",
  "agent:main:test:group:old",
] as const;
/** Sessions of sub-agents; few, so that runs share them. */
export const modelChildLanes = [
  "agent:main:child:1",
  "agent:main:child:2",
  "agent:main:child:3",
  "agent:main:child:4",
  "agent:main:child:5",
  "agent:main:child:6",
] as const;
/** Where turns run. */
export const modelTurnLanes: readonly string[] = [...modelLanes, ...modelChildLanes];
export const modelOwners = ["owner 1", "owner 2", "owner 3"] as const;
export const modelAddresses = ["test|one|ada", "test|one|bob", "test|two|ada|thread", "test|one|ada/7"] as const;
/** Where chats move to, beside one another. */
export const modelNewAddresses = ["test|one|new", "test|one|new/7", "test|one|bob/7"] as const;
export const modelPeers = ["ada", "bob", "eve"] as const;
export const modelCodes = ["code one", "code two", "code three"] as const;
/** Either far from over or over at once. */
export const modelSpansMs = [3_600_000, 3_600_000, 0] as const;
export const modelAccounts = [
  { channel: "test", account: "one" },
  { channel: "test", account: "two" },
  { channel: "other", account: "one" },
] as const;

export function createModelState(): ModelState {
  return {
    serial: 0,
    sent: [],
    items: [],
    claimIds: [],
    deliveryIds: [],
    entryIds: [],
    sessionIds: modelTurnLanes.map((lane) => `none of ${lane}`),
    runIds: [],
    movedKeys: [],
    prunes: 0,
  };
}

export function takeId(state: ModelState, noun: string): string {
  state.serial += 1;
  return `${noun} ${state.serial}`;
}

/** For a session that begins: no two keys ever have the same one. */
export function takeSessionId(state: ModelState): string {
  const id = takeId(state, "session");
  state.sessionIds.push(id);
  return id;
}

/** Learns what the step made, for the steps that follow. */
export function noteStep(state: ModelState, step: Step, result: StepResults[keyof StepResults]): void {
  state.sent.push(step);
  if (step.step === "prune") {
    state.prunes += 1;
    for (const list of [state.sent, state.claimIds, state.deliveryIds]) list.length = 0;
  }
  if (step.step === "reserve_run" && result.status === "done") state.runIds.push(step.run.runId);
  if (step.step === "enqueue" && result.status === "done" && "seq" in result) noteItem(state, step.item, result.seq);
  if (result.status !== "done" || !("items" in result) || typeof result.items === "number") return;
  const items = step.step === "receive" || step.step === "command" ? step.items : [];
  for (const [index, item] of items.entries()) {
    const received = result.items[index];
    const seq = typeof received === "object" ? received.seq : received;
    if (seq !== undefined) noteItem(state, item, seq);
  }
}

export function noteItem(state: ModelState, { lane, dedupe, nativeId }: NewItem, seq: number): void {
  state.items.push({ lane, seq, dedupe, nativeId });
}
