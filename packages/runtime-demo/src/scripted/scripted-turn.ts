import type { SessionSpec, ToolResult, TurnInput, TurnMessage, Usage } from "@banyan/plugin-sdk";
import type { LiveTurn, TurnEnd } from "@banyan/plugin-sdk/runtime";
import type { ScriptStep, ScriptTurn } from "./script.ts";
import type { RecordedAttempt } from "./script-record.ts";
import type { SteerBox } from "./steer-box.ts";

/** A live turn that writes down what it is given, and plays steps. */
export class ScriptedTurn implements ScriptTurn {
  readonly spec: SessionSpec;
  readonly index: number;
  readonly #live: LiveTurn;
  readonly #attempt: RecordedAttempt;
  readonly #steers: SteerBox;

  constructor(live: LiveTurn, index: number, attempt: RecordedAttempt, steers: SteerBox) {
    this.spec = attempt.spec;
    this.index = index;
    this.#live = live;
    this.#attempt = attempt;
    this.#steers = steers;
  }

  get input(): TurnInput {
    return this.#live.input;
  }

  get signal(): AbortSignal {
    return this.#live.signal;
  }

  say(delta: string): Promise<void> {
    return this.#live.say(delta);
  }

  async callTool(name: string, args: unknown): Promise<ToolResult> {
    const result = await this.#live.callTool(name, args);
    this.#attempt.toolResults.push(result);
    return result;
  }

  waitFor<T>(promise: Promise<T>): Promise<T> {
    return this.#live.waitFor(promise);
  }

  noteActivity(isWorking?: boolean): void {
    this.#live.noteActivity(isWorking);
  }

  reportUsage(usage: Usage): void {
    this.#live.reportUsage(usage);
  }

  reportModel(model: string): void {
    this.#live.reportModel(model);
  }

  async takeSteer(): Promise<TurnMessage> {
    await this.waitFor(this.#steers.arrival());
    const message = this.#steers.take();
    this.#attempt.steered.push(message);
    return message;
  }

  /** Answers the end that the steps name. */
  async play(steps: readonly ScriptStep[]): Promise<TurnEnd | undefined> {
    for (const step of steps) {
      if (step.step === "end") return step.end;
      await this.#playOne(step);
    }
    return undefined;
  }

  async #playOne(step: Exclude<ScriptStep, { step: "end" }>): Promise<void> {
    switch (step.step) {
      case "say":
        return this.say(step.text);
      case "call":
        await this.callTool(step.tool, step.args);
        return;
      case "wait":
        step.gate.reach();
        return step.isDeaf ? step.gate.opened : this.waitFor(step.gate.opened);
      case "take-steer":
        return this.say((await this.takeSteer()).text);
      case "report":
        return this.reportUsage(step.usage);
    }
  }
}
