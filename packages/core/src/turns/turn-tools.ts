import { isDeepStrictEqual } from "node:util";
import type { CommittedToolCall, Saying, ToolCall, ToolResult, TranscriptEntry, Usage } from "@banyan/plugin-sdk";
import type { NewAudit, NewEntry, ToolResultStep } from "@banyan/store";
import { commitPatiently, commitStep } from "../ports/commit-step.ts";
import { scrubValue } from "../ports/scrub-value.ts";
import { buildToolEntry, formatEntry } from "../sessions/transcript.ts";
import { subtractUsage } from "../sessions/usage-sum.ts";
import type { TurnParts } from "./turn-parts.ts";

/** The calls that earlier attempts of a turn committed, from the entries they left. */
export function readCommittedCalls(entries: readonly TranscriptEntry[]): readonly CommittedToolCall[] {
  if (entries.length === 0) return [];
  const calls = new Map<number, ToolCall>();
  const committed: CommittedToolCall[] = [];
  for (const part of entries.flatMap((entry) => entry.content)) {
    if (part.type === "tool_call") calls.set(part.ordinal, part);
    if (part.type !== "tool_result") continue;
    const call = calls.get(part.ordinal);
    if (call === undefined) continue;
    const { ordinal, name, args } = call;
    const { text, isError, endsTurn, says } = part;
    const result = {
      text,
      isError,
      ...(endsTurn === undefined ? {} : { endsTurn }),
      ...(says === undefined ? {} : { says }),
    };
    committed.push({ ordinal, name, args, result });
  }
  return committed;
}

/**
 * A call that an earlier attempt began and whose end nobody knows: only a tool that cannot be repeated leaves one, because
 * its call is written before it runs.
 */
export function findUnfinishedCall(entries: readonly TranscriptEntry[]): ToolCall | undefined {
  const parts = entries.flatMap(({ content }) => content);
  const ended = new Set(parts.flatMap((part) => (part.type === "tool_result" ? [part.ordinal] : [])));
  return parts.filter((part) => part.type === "tool_call").find(({ ordinal }) => !ended.has(ordinal));
}

export interface ToolCallsOfTurn {
  readonly lane: string;
  readonly epoch: number;
  readonly sessionId: string;
  readonly itemSeq: number;
  readonly committed: readonly CommittedToolCall[];
  /** An earlier attempt has asked a person. */
  readonly hasAsked: boolean;
  /** Written with the first result: what the turn answers to. Empty when an earlier attempt wrote it. */
  readonly opening: readonly NewEntry[];
  /** What the agent has used in this attempt, as far as it has told. */
  readUsage(): Usage | undefined;
  runTool(call: ToolCall, desk: CallDesk): Promise<ToolResult>;
}

/** What a call writes beside its result. */
export interface CallDesk {
  /** Keeps a line for the audit: it is written with what the call writes next. */
  record(audit: NewAudit): void;
  /** Called right before the tool runs, if it comes to that. */
  begin(): Promise<void>;
}

/** The turn was taken over by somebody else: whatever it still does counts for nothing. */
export class LaneLostError extends Error {
  constructor(lane: string) {
    super(`A tool result was stored: the lane ${lane} belongs to another process now; end this turn`);
    this.name = "LaneLostError";
  }
}

/** The turn was stopped while a person was asked: what was to be allowed has not begun, and a later attempt asks on. */
export class TurnStoppedError extends Error {
  constructor(lane: string) {
    super(`A person was asked: the turn of ${lane} was stopped; end this turn`);
    this.name = "TurnStoppedError";
  }
}

/** Tool calls of one turn: each result is committed (T2b) before the agent sees it, and each ordinal runs once. */
export class TurnToolCalls {
  readonly #turn: ToolCallsOfTurn;
  readonly #parts: TurnParts;
  readonly #known = new Map<number, CommittedToolCall>();
  #isOpened: boolean;
  #hasAsked: boolean;
  /** What of this attempt's usage stands in entries. */
  #written: Usage = {};
  #isEnded = false;

  constructor(turn: ToolCallsOfTurn, parts: TurnParts) {
    this.#turn = turn;
    this.#parts = parts;
    this.#isOpened = turn.opening.length === 0;
    this.#hasAsked = turn.hasAsked;
    for (const call of turn.committed) this.#known.set(call.ordinal, call);
  }

  /** Whether the turn's opening entries are in the transcript already. */
  get isOpened(): boolean {
    return this.#isOpened;
  }

  /** Whether it has asked a person, in this attempt or an earlier one. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** What earlier attempts committed, in order. */
  get committed(): readonly CommittedToolCall[] {
    return this.#turn.committed;
  }

  get count(): number {
    return this.#known.size;
  }

  /** What the calls have sent to the chat, in their order, over all attempts. */
  get sayings(): readonly Saying[] {
    const calls = [...this.#known.values()].toSorted((one, other) => one.ordinal - other.ordinal);
    return calls.flatMap(({ result }) => result.says ?? []);
  }

  /** The turn is over: later calls are refused. */
  end(): void {
    this.#isEnded = true;
  }

  async call(given: ToolCall): Promise<ToolResult> {
    // As it will stand in the transcript: a later attempt compares with that.
    const args = scrubValue(given.args, this.#parts.ports.scrub);
    const call: ToolCall = { ...given, args };
    const { ordinal, name } = call;
    if (this.#isEnded)
      return { text: "A tool was called: the turn is over; call tools only while it runs", isError: true };
    const known = this.#known.get(ordinal);
    if (known !== undefined) {
      if (known.name === name && isDeepStrictEqual(known.args, args)) return known.result;
      return {
        text: `The tool ${name} was called as call ${ordinal}: that call was ${known.name} in an earlier attempt; go on with a new ordinal`,
        isError: true,
      };
    }
    const isRepeatable = this.#parts.tools.isRepeatable(name);
    let isBegun = false;
    let lines: NewAudit[] = [];
    const write = async (entries: readonly NewEntry[], more: Pick<ToolResultStep, "isNote"> = {}) => {
      const audit = lines;
      lines = [];
      await this.write(entries, { ...more, ...(audit.length === 0 ? {} : { audit }) });
    };
    const result = await this.#turn.runTool(call, {
      record: (line) => void lines.push(line),
      begin: async () => {
        // What is audited before it runs is so whether it may run again or not.
        if (isRepeatable && lines.length === 0) return;
        await write(isRepeatable ? [] : [this.#buildCallEntry(call)], { isNote: true });
        isBegun = !isRepeatable;
      },
    });
    const part = { type: "tool_result", ordinal, name, ...result } as const;
    const ended = formatEntry({ ...buildToolEntry(this.#stamp(), part), ...this.#takeUsage() });
    await write(isBegun ? [ended] : [this.#buildCallEntry(call), ended]);
    this.#known.set(ordinal, { ordinal, name, args, result });
    return result;
  }

  /**
   * Writes down what was used since the last result, before the attempt is given back: it counts though its work is done
   * again. Rejects where it cannot be written at once, as on a full disk.
   */
  async keepUsage(): Promise<void> {
    const { usage = {} } = this.#takeUsage();
    if (!Object.values(usage).some((count) => count > 0)) return;
    const { store, ports } = this.#parts;
    const kept = formatEntry({ ...this.#stamp(), kind: "usage", role: "assistant", content: [], usage });
    ports.faultPoint("T2b.before");
    await commitStep(store, { ...this.#buildStep([kept]), isNote: true });
    ports.faultPoint("T2b.after");
  }

  /** So that what a turn has used until then outlives its process, and is counted once. */
  #takeUsage(): { readonly usage?: Usage } {
    const usage = this.#turn.readUsage();
    if (usage === undefined) return {};
    const fresh = subtractUsage(usage, this.#written);
    this.#written = usage;
    return { usage: fresh };
  }

  #stamp(): { readonly id: string; readonly timestamp: number } {
    const { ports } = this.#parts;
    return { id: ports.createId(), timestamp: ports.clock.now() };
  }

  #buildCallEntry({ ordinal, name, args }: ToolCall): NewEntry {
    return formatEntry(buildToolEntry(this.#stamp(), { type: "tool_call", ordinal, name, args }));
  }

  /** T2b. Rejects with a `LaneLostError` when somebody else has the turn. */
  async write(
    written: readonly NewEntry[],
    more: Pick<ToolResultStep, "deliveries" | "arm" | "audit" | "isNote"> = {},
  ): Promise<void> {
    const { store, ports, signal } = this.#parts;
    ports.faultPoint("T2b.before");
    const stored = await commitPatiently(store, { ...this.#buildStep(written), ...more }, ports, signal);
    ports.faultPoint("T2b.after");
    if (stored.status === "fenced") throw new LaneLostError(this.#turn.lane);
    this.#isOpened = true;
    this.#hasAsked ||= more.arm !== undefined;
    if (more.isNote !== true) this.#parts.noteProgress(this.#turn.lane);
  }

  /** With what the turn answers to, where nothing of it was written yet. */
  #buildStep(written: readonly NewEntry[]): ToolResultStep {
    const { lane, epoch, sessionId, itemSeq, opening } = this.#turn;
    const entries = this.#isOpened ? written : [...opening, ...written];
    return { step: "tool_result", lane, epoch, sessionId, itemSeq, entries };
  }
}
