import type { Completion } from "@banyan/plugin-sdk";
import type { Step, Store } from "@banyan/store";

export interface DeskPlace {
  readonly sessionKey: string;
  readonly address: string;
}

/** Writes the runs of sub-agents of one chat into a store, by the steps that the core takes. Its session stands. */
export class RunDesk {
  readonly #store: Store;
  readonly #place: DeskPlace;

  constructor(store: Store, place: DeskPlace) {
    this.#store = store;
    this.#place = place;
  }

  /** It runs at once; below another run where one is named. */
  async spawns(runId: string, label: string, parentRunId?: string): Promise<void> {
    const { sessionKey, address } = this.#place;
    const lane = `agent:main:subagent:${runId}`;
    const body = JSON.stringify({
      task: label,
      label,
      agentId: "main",
      source: "tool",
      expectsCompletionMessage: true,
    });
    const requester = parentRunId === undefined ? sessionKey : `agent:main:subagent:${parentRunId}`;
    const keys = { childSessionKey: lane, requesterSessionKey: requester, rootSessionKey: sessionKey };
    const identity = { runId, dedupe: runId, ...keys, isAwaited: true, route: address, body };
    const run = parentRunId === undefined ? identity : { ...identity, parentRunId };
    await this.#commit({ step: "reserve_run", run, mostChildren: 1_000, mostTreeRuns: 1_000 });
    const session = {
      key: lane,
      sessionId: lane,
      agentId: "main",
      file: `${runId}.jsonl`,
      expectRevision: 0,
      body: "{}",
    };
    const item = {
      lane,
      dedupe: `task|${runId}`,
      nativeId: runId,
      kind: "nested",
      address,
      body: "{}",
      runId,
    } as const;
    await this.#commit({ step: "accept_run", runId, session, item, timers: [], body });
    await this.#commit({ step: "claim", lane, owner: "desk", claimId: runId });
  }

  /** The host tells the chat, over an account that is not there: so the message waits. */
  async ends(runId: string, result: string, change: Partial<Completion> = {}): Promise<void> {
    const { address } = this.#place;
    const childSessionKey = `agent:main:subagent:${runId}`;
    const figures = { durationMs: 300, totalTokens: 1_200 };
    const completion: Completion = { runId, childSessionKey, task: "", outcome: "done", result, ...figures, ...change };
    const announcement = { runId, childSessionKey, completion, alsoRunIds: [] };
    const delivery = {
      id: `completion-${runId}.0`,
      deliveryId: `completion-${runId}`,
      part: 0,
      of: 1,
      kind: "completion",
      channel: "away",
      account: "default",
      address,
      chat: address,
      policy: "at-least-once",
      runId,
      body: JSON.stringify({ text: result, announcement }),
    } as const;
    const endedReason = completion.outcome === "done" ? "complete" : "error";
    const end = { runId, endedReason, result: JSON.stringify(completion), settledBy: "host" } as const;
    const ends = [{ ...end, deliveries: [delivery], timers: [], endTimers: [] }];
    await this.#commit({ step: "end_runs", ends, closed: [] });
  }

  async #commit(step: Step): Promise<void> {
    const { status } = await this.#store.commit(step);
    if (status !== "done") throw new Error(`The step ${step.step} was sent: it was ${status}`);
  }
}
