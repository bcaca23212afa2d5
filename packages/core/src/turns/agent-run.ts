import {
  type AgentRuntime,
  formatDuration,
  type RunEvent,
  type RunHandle,
  type RuntimeSession,
  type StopReason,
  type TurnEnding,
  type TurnMessage,
  type Usage,
} from "@banyan/plugin-sdk";
import type { BudgetLimit } from "../budgets/allotment.ts";
import { inTime } from "../ports/in-time.ts";
import { isSettledSoon } from "../ports/settled-soon.ts";
import { findLastLine } from "../runs/run-note.ts";
import { maySayNothing, NO_REPLY } from "../runs/silent-answer.ts";
import type { AgentEnd, AgentRunSpec } from "./agent-end.ts";
import { getRuntimeInTime, openRuntime, refuseProcess } from "./open-runtime.ts";
import { parseUsage } from "./parse-usage.ts";
import { buildSessionSpec } from "./session-spec.ts";
import { ShownText } from "./shown-text.ts";
import { SilenceLimit } from "./silence-limit.ts";
import { AgentEar } from "./steering/agent-ear.ts";
import type { TurnParts } from "./turn-parts.ts";

/** A runtime that has not come to rest so long after it was told to is left to itself. */
const ABORT_LIMIT_MS = 5_000;
/** No answer for people is longer; a runtime that floods must not fill the memory. */
const ANSWER_LIMIT_CHARS = 1_048_576;
/** No tool of ours runs longer; one that a foreign agent runs by itself counts as at work for as long. */
const LONGEST_TOOL_SECONDS = 3_600;
/** Spelled out: a number format would load the languages of the world with every start. */
const CUT_LINE = "\n\n… (cut: the answer was longer than 1,048,576 characters)";

/** An agent at work on one turn. It can be stopped at any time, also before the runtime has opened or while it hangs. */
export class AgentRun {
  readonly #ports: TurnParts["ports"];
  readonly #controller = new AbortController();
  /** Resolves when nobody waits for the runtime any longer. */
  readonly #left = Promise.withResolvers<undefined>();
  #isLeft = false;
  #isCut = false;
  #isFinished = false;
  #hasEnded = false;
  /** Runs out when the agent neither speaks nor calls a tool. Absent: without a limit, or not running. */
  #silence: SilenceLimit | undefined;
  /** Why it was stopped by its limit. */
  #silenceError: string | undefined;
  #handle: RunHandle | undefined;
  readonly #ear: AgentEar;
  #text = "";
  #usage: Usage | undefined;
  /** What it was stopped for. */
  #passed: BudgetLimit | undefined;
  readonly #shown: ShownText;
  /** So far it may be the word for silence, which nobody is to see grow. */
  #isHeldBack = true;

  constructor(ports: TurnParts["ports"]) {
    this.#ports = ports;
    this.#ear = new AgentEar(ports.log);
    this.#shown = new ShownText(ports);
  }

  /** Aborts when the run is stopped: tools under way end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** As the runtime has told it until now. */
  get usageSoFar(): Usage | undefined {
    return this.#usage;
  }

  get textSoFar(): string {
    return this.#ports.scrub(this.#text);
  }

  /** The last line of it, without what may be the beginning of a secret; empty while it may become silence. */
  get note(): string {
    if (this.#isHeldBack) return "";
    const text = this.textSoFar;
    return findLastLine(text.slice(0, text.length - this.#ports.holdBack(text)));
  }

  /** Whether the agent hears more while it works; asked before it works it waits for that. */
  canSteer(): Promise<boolean> {
    return this.#ear.canHear();
  }

  /** Whether the agent has come to its end by itself. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Nothing more is told it; who waits for it to begin waits no longer. */
  endHearing(): void {
    this.#ear.open(undefined);
  }

  /** Hands a message to the agent at work. Never rejects; where the run ends before that is settled it waits on. */
  async steer(message: TurnMessage): Promise<"delivered" | "returned"> {
    return this.#controller.signal.aborted ? "returned" : this.#ear.tell(message, this.#left.promise);
  }

  /** Ends the run as if the runtime had said so, with this text or with what it has said: nothing later is heard. */
  finish({ text }: TurnEnding): void {
    if (this.#controller.signal.aborted) return;
    if (text !== undefined) this.#text = text.slice(0, ANSWER_LIMIT_CHARS);
    if (this.#text.trim() === "") this.#text = NO_REPLY;
    this.#isFinished = true;
    // Not awaited: the runtime cannot come to rest while it waits for the call that ended it.
    void this.stop("the turn has ended");
  }

  /** Resolves when the runtime is at rest, or is left to itself. Never rejects. */
  async stop(reason: string): Promise<void> {
    this.#controller.abort(reason);
    await this.#waitFor("stop", () => this.#handle?.abort(reason));
    this.#isLeft = true;
    this.#left.resolve(undefined);
  }

  /** Runs to the end. Never rejects for what a runtime does: that is an end with reason `error`. */
  async run(spec: AgentRunSpec, parts: TurnParts): Promise<AgentEnd> {
    if (this.#controller.signal.aborted) {
      this.#ear.open(undefined);
      return this.#buildAbortedEnd(spec.agent.runtime);
    }
    const { connection } = spec.channel;
    this.#silence = this.#limitSilence(spec);
    const stopTyping = this.#courtesy(() => connection?.typing?.start(spec.address));
    try {
      const end = await Promise.race([this.#runIn(spec, parts), this.#left.promise]);
      return end ?? this.#buildAbortedEnd(spec.agent.runtime);
    } catch (error) {
      parts.ports.log.error({ err: error, session: spec.sessionKey, runtime: spec.agent.runtime }, "a runtime failed");
      const { signal } = this.#controller;
      // One that opened too late was told to give up, and that is how the turn ends.
      if (signal.aborted && signal.reason !== error) return this.#buildAbortedEnd(spec.agent.runtime);
      const message = error instanceof Error ? error.message : String(error);
      return this.#buildEnd({ reason: "error", runtimeId: spec.agent.runtime, error: message });
    } finally {
      this.#silence?.close();
      this.#ear.open(undefined);
      this.#courtesy(() => stopTyping?.());
      this.#courtesy(() => connection?.progress?.end({ turnId: spec.input.turnId, address: spec.address }));
    }
  }

  /** What the host does for the agent, such as a tool call or a question to a person, has limits of its own. */
  during<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#silence?.during(work) ?? work();
  }

  #limitSilence({ agent: { turnTimeoutMs, budgets }, sessionKey }: AgentRunSpec): SilenceLimit | undefined {
    const { clock, log } = this.#ports;
    const longestWorkMs = (budgets?.maxToolTimeoutSeconds ?? LONGEST_TOOL_SECONDS) * 1_000;
    if (turnTimeoutMs === undefined) return undefined;
    const onSilence = () => {
      if (this.#controller.signal.aborted) return;
      log.warn(
        { session: sessionKey, turnTimeoutMs },
        "a turn neither spoke nor called a tool for too long; it is stopped",
      );
      this.#silenceError = `it neither spoke nor called a tool for ${formatDuration(turnTimeoutMs)} and was stopped (turnTimeoutSeconds)`;
      void this.stop("it neither speaks nor calls a tool");
    };
    return new SilenceLimit({ clock, limitMs: turnTimeoutMs, longestWorkMs, onSilence });
  }

  /** What a channel shows while a turn runs is a courtesy: a plugin that fails at it does not fail the turn. */
  #courtesy<Result>(show: () => Result): Result | undefined {
    try {
      return show();
    } catch (error) {
      this.#ports.log.warn({ err: error }, "a channel could not show that a turn runs");
      return undefined;
    }
  }

  async #runIn(spec: AgentRunSpec, parts: TurnParts): Promise<AgentEnd> {
    const { agent } = spec;
    const runtime = await getRuntimeInTime(agent.runtime, parts, this.#controller.signal);
    if (runtime.isProcess && agent.isStrict) throw refuseProcess(agent);
    const opened = await openRuntime(runtime, buildSessionSpec(spec, parts), this.#controller, parts);
    try {
      return await this.#read(opened, runtime, spec);
    } finally {
      await this.#waitFor("close", () => opened.close());
    }
  }

  /** What a runtime does at its end delays nobody for long, and fails no turn. */
  async #waitFor(name: string, rest: () => Promise<void> | undefined): Promise<void> {
    const { clock, log } = this.#ports;
    try {
      const resting = rest();
      if (resting === undefined) return;
      if (await isSettledSoon(resting)) return await resting;
      await inTime(resting, ABORT_LIMIT_MS, clock);
    } catch (error) {
      log.error({ err: error }, `a runtime failed to ${name}`);
    }
  }

  #buildAbortedEnd(runtimeId: string): AgentEnd {
    const reason = this.#isFinished ? "done" : this.#isCut ? "length" : "stopped";
    const [usage, passed] = [this.#usage, this.#passed];
    return this.#buildEnd({
      ...this.#explainStop(reason),
      runtimeId,
      ...(usage === undefined ? {} : { usage }),
      ...(passed === undefined ? {} : { passed }),
    });
  }

  async #read(session: RuntimeSession, runtime: AgentRuntime, spec: AgentRunSpec): Promise<AgentEnd> {
    const { id: runtimeId, capabilities } = runtime;
    const canSteer = capabilities.steer !== "none";
    if (this.#controller.signal.aborted) return this.#buildAbortedEnd(runtimeId);
    const handle = session.run(spec.input);
    this.#handle = handle;
    this.#ear.open(canSteer ? handle : undefined);
    for await (const event of handle.events) {
      if (this.#isLeft) break;
      if (this.#isFinished) return this.#buildAbortedEnd(runtimeId);
      if (event.type === "text") {
        this.#append(event.delta);
        this.#showProgress(event.delta, spec);
      }
      if (event.type === "usage") this.#noteUsage(parseUsage(event.usage), spec);
      if (this.#passed !== undefined) return this.#buildAbortedEnd(runtimeId);
      // Its end is the one that stands above: nothing it says is read any more.
      if (this.#isCut) return this.#buildAbortedEnd(runtimeId);
      if (isSignOfLife(event)) this.#silence?.hear();
      if (event.type === "activity" && event.isWorking !== undefined) this.#silence?.noteWork(event.isWorking);
      if (event.type !== "end") continue;
      this.#hasEnded = true;
      const { reason, usage, model, error } = event;
      return this.#buildEnd({
        ...this.#explainStop(reason, error?.message),
        runtimeId,
        ...(usage === undefined ? {} : { usage: parseUsage(usage) }),
        ...(model === undefined ? {} : { model }),
      });
    }
    return this.#buildEnd({ reason: "error", runtimeId, error: `The runtime ${runtimeId} ended without saying so` });
  }

  /** A turn that was stopped for its silence has failed, whatever its runtime calls that. */
  #explainStop(reason: StopReason, error?: string): Pick<AgentEnd, "reason" | "error"> {
    if (this.#silenceError !== undefined) return { reason: "error", error: this.#silenceError };
    return { reason, ...(error === undefined ? {} : { error }) };
  }

  #noteUsage(usage: Usage, { findPassed }: AgentRunSpec): void {
    this.#usage = usage;
    this.#passed = findPassed?.(usage);
    // Not awaited: the runtime cannot come to rest while its events are not read.
    if (this.#passed !== undefined) void this.stop("a budget is used up");
  }

  /** What people and files get of it holds no secret that is known to be one. */
  #buildEnd(end: Omit<AgentEnd, "text">): AgentEnd {
    const { scrub } = this.#ports;
    return { ...end, text: scrub(this.#text), ...(end.error === undefined ? {} : { error: scrub(end.error) }) };
  }

  #showProgress(delta: string, { address, input: { turnId }, channel }: AgentRunSpec): void {
    const textSoFar = this.#shown.grow(this.#text, delta);
    // Looked at only where something was added to a few letters: whitespace may flood, too.
    if (this.#isHeldBack && delta.trim() !== "") this.#isHeldBack = maySayNothing(this.#text);
    if (!this.#isHeldBack) this.#courtesy(() => channel.connection?.progress?.update({ turnId, address, textSoFar }));
  }

  #append(delta: string): void {
    const room = ANSWER_LIMIT_CHARS - this.#text.length;
    this.#text += delta.slice(0, room);
    if (delta.length <= room) return;
    this.#text += CUT_LINE;
    this.#isCut = true;
    // Not awaited: the runtime cannot come to rest while its events are not read.
    void this.stop("the answer is too long");
  }
}

/** Whitespace says nothing, and what was used is only a count. */
function isSignOfLife(event: RunEvent): boolean {
  return event.type === "text" ? event.delta.trim() !== "" : event.type !== "usage";
}
