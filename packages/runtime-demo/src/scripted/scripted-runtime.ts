import type { AgentRuntime, RuntimeCapabilities, RuntimeHost, SessionSpec, TurnInput } from "@banyan/plugin-sdk";
import {
  createRunHandle,
  createSingleRunSession,
  type LiveRun,
  type LiveTurn,
  type TurnEnd,
} from "@banyan/plugin-sdk/runtime";
import type { Script, TurnScript } from "./script.ts";
import { type RecordedAttempt, ScriptRecord } from "./script-record.ts";
import { ScriptedTurn } from "./scripted-turn.ts";
import { SteerBox } from "./steer-box.ts";

export interface ScriptedRuntime extends AgentRuntime {
  readonly record: ScriptRecord;
}

export interface ScriptedRuntimeOptions {
  /** Default `none`: every steered message is returned. */
  readonly steer?: "receipt" | "none";
  readonly models?: readonly string[];
}

/**
 * An agent that does what a test wrote, and remembers all it was given. It reads the history of every turn, so that the
 * record is complete. A turn the script has no words for ends with an error that is not retryable.
 */
export function createScriptedRuntime(script: Script, options: ScriptedRuntimeOptions = {}): ScriptedRuntime {
  const record = new ScriptRecord();
  const steer = options.steer ?? "none";
  const turnIdsByKey = new Map<string, string[]>();
  return {
    id: "scripted",
    record,
    capabilities: capabilitiesWith(steer),
    models: async () => options.models ?? [],
    async open(spec, host, signal) {
      signal.throwIfAborted();
      return createSingleRunSession((input) => {
        const index = turnIndexOf(turnIdsByKey, spec.sessionKey, input.turnId);
        return startScriptedRun({ script, record, spec, host, input, index, isSteered: steer === "receipt" });
      });
    },
  };
}

interface ScriptedRun {
  readonly script: Script;
  readonly record: ScriptRecord;
  readonly spec: SessionSpec;
  readonly host: RuntimeHost;
  readonly input: TurnInput;
  readonly index: number;
  readonly isSteered: boolean;
}

function startScriptedRun(run: ScriptedRun): LiveRun {
  const { turnId, attempt, input, committedCalls } = run.input;
  const recorded: RecordedAttempt = {
    spec: run.spec,
    turnId,
    attempt,
    input,
    committedCalls,
    history: [],
    toolResults: [],
    steered: [],
  };
  run.record.add(recorded);
  const steers = new SteerBox();
  const program = async (live: LiveTurn): Promise<TurnEnd> => {
    recorded.history = await live.waitFor(live.input.history());
    const turn = new ScriptedTurn(live, run.index, recorded, steers);
    const turnScript = typeof run.script === "function" ? run.script(turn) : run.script[run.index];
    if (turnScript === undefined) return unwrittenTurn(run.index);
    return (await playTurn(turn, turnScript)) ?? { reason: "done" };
  };
  return createRunHandle(run.input, program, {
    log: run.host.log,
    ...(run.isSteered && { steer: (message) => steers.offer(message) }),
    onEnd(end) {
      recorded.end = end;
      steers.close();
    },
  });
}

function playTurn(turn: ScriptedTurn, script: TurnScript): Promise<TurnEnd | undefined> {
  return typeof script === "function" ? script(turn) : turn.play(script);
}

function unwrittenTurn(index: number): TurnEnd {
  const message = `Playing turn ${index + 1} of a session: the script ends before it; write another turn.`;
  return { reason: "error", error: { isRetryable: false, message } };
}

function turnIndexOf(turnIdsByKey: Map<string, string[]>, sessionKey: string, turnId: string): number {
  const turnIds = turnIdsByKey.get(sessionKey) ?? [];
  turnIdsByKey.set(sessionKey, turnIds);
  const known = turnIds.indexOf(turnId);
  return known === -1 ? turnIds.push(turnId) - 1 : known;
}

function capabilitiesWith(steer: "receipt" | "none"): RuntimeCapabilities {
  return { steer, resume: false, fork: false, history: "core", tools: "direct", permissions: false, usage: true };
}
