import type { Completion } from "@banyan/plugin-sdk";
import type { NewDelivery, RunEnd, Step, Store } from "@banyan/store";

export const ADA = "agent:main:irc:dm:ada";
export const ADDRESS = "irc/default/dm/ada";

export interface Spawn {
  /** Who asks. Default: ada's session. */
  readonly from?: string;
  readonly parentRunId?: string;
  readonly label?: string;
  readonly taskName?: string;
}

export function childKey(runId: string): string {
  return `agent:main:subagent:${runId}`;
}

/** Writes sub-agents' runs into a store by the steps that the core takes. */
export class RunDesk {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async open(key: string = ADA): Promise<void> {
    await this.#commit({ step: "write_session", writeId: key, session: buildSession(key, {}) });
  }

  /** Up to `accepted`. */
  async spawns(runId: string, { from = ADA, parentRunId, ...names }: Spawn = {}): Promise<void> {
    const childSessionKey = childKey(runId);
    const body = JSON.stringify({
      task: `count words\nfor ${runId}`,
      ...names,
      source: "tool",
      agentId: "main",
      mode: "run",
      cleanup: "keep",
      announce: "direct",
      expectsCompletionMessage: true,
      announceTimeoutMs: 600_000,
      depth: parentRunId === undefined ? 1 : 2,
      sandbox: "off",
      workspaceDir: "/work",
      threadRequested: false,
      attachments: [],
    });
    const run = {
      runId,
      dedupe: `call|${runId}`,
      childSessionKey,
      requesterSessionKey: from,
      rootSessionKey: ADA,
      isAwaited: true,
      route: ADDRESS,
      body,
      ...(parentRunId === undefined ? {} : { parentRunId }),
    };
    await this.#commit({ step: "reserve_run", run, mostChildren: 100, mostTreeRuns: 100 });
    const task = `task|${runId}`;
    const item = { lane: childSessionKey, dedupe: task, nativeId: task, address: ADDRESS, body: "{}", runId } as const;
    const session = buildSession(childSessionKey, { spawnedBy: from });
    const accept = { runId, session, item: { ...item, kind: "nested" }, timers: [], body } as const;
    await this.#commit({ step: "accept_run", ...accept });
  }

  async begins(runId: string): Promise<void> {
    await this.#commit({ step: "claim", lane: childKey(runId), owner: "desk", claimId: runId });
  }

  /** Ends with a completion that the chat is told of, unless it is `untold`. */
  async ends(
    runId: string,
    result: string,
    change: Partial<RunEnd & Completion> & { untold?: true } = {},
  ): Promise<void> {
    const { endedReason = "complete", outcome = "done", label, error, untold = false } = change;
    const completion: Completion = {
      runId,
      childSessionKey: childKey(runId),
      task: "count words",
      outcome,
      result,
      durationMs: 300,
      ...(label === undefined ? {} : { label }),
      ...(error === undefined ? {} : { error }),
    };
    const deliveries = untold ? [] : [buildDelivery(completion)];
    const end = { runId, endedReason, result: JSON.stringify(completion), target: ADDRESS, settledBy: "host" } as const;
    const { epoch } = await this.#store.read.lane(childKey(runId));
    const stop = { epoch, sessionId: `s-${childKey(runId)}`, entries: [] };
    const ends = [{ ...end, deliveries, timers: [], endTimers: [], stop }];
    await this.#commit({ step: "end_runs", ends, closed: [] });
  }

  /** One that was told, or of which nobody is told. */
  async putsAway(runId: string): Promise<void> {
    await this.#commit({ step: "archive_run", runId, timers: [] });
  }

  async #commit(step: Step): Promise<void> {
    const { status } = await this.#store.commit(step);
    if (status !== "done") throw new Error(`The step ${step.step} was sent: it was ${status}`);
  }
}

function buildSession(key: string, entry: object) {
  const file = `${key.replaceAll(":", "-")}.jsonl`;
  const body = JSON.stringify({ sessionId: `s-${key}`, sessionFile: file, updatedAt: 1, ...entry });
  return { key, sessionId: `s-${key}`, agentId: "main", file, expectRevision: 0, body };
}

function buildDelivery(completion: Completion): NewDelivery {
  const { runId, childSessionKey } = completion;
  const announcement = { runId, childSessionKey, completion, alsoRunIds: [] };
  return {
    id: `completion-${runId}.0`,
    deliveryId: `completion-${runId}`,
    part: 0,
    of: 1,
    kind: "completion",
    channel: "irc",
    account: "default",
    address: ADDRESS,
    chat: ADDRESS,
    policy: "at-least-once",
    runId,
    body: JSON.stringify({ text: `It is done: ${completion.result}`, announcement }),
  };
}
