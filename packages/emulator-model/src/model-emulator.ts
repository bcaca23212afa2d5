import { type FaultPort, HeldGate, InjectedFault, PATIENCE_MS } from "@banyan/emulator-kit";
import type { ChatFault, ChatFaultList } from "./faults/chat-fault.ts";
import { EmulatorError } from "./ports/error.ts";
import type { AskedModel, AskJournal } from "./records/ask-journal.ts";
import type { ModelScript } from "./script/model-script.ts";

export interface ModelEmulatorParts {
  readonly url: string;
  readonly faults: ChatFaultList;
  readonly journal: AskJournal;
  readonly stage: { script: ModelScript };
  close(): Promise<void>;
}

type Aim = Pick<ChatFault, "model" | "times" | "skip">;

/** A model server that answers by a script, as a test or a bench holds it. */
export class ModelEmulator {
  /** What a client's base URL is, such as `http://127.0.0.1:49152/v1`. */
  readonly url: string;
  readonly #parts: ModelEmulatorParts;
  readonly #port: FaultPort;

  constructor(parts: ModelEmulatorParts) {
    const { faults } = parts;
    this.url = parts.url;
    this.#parts = parts;
    this.#port = {
      remove: async ({ id, end }) => faults.remove(id, end),
      awaitMet: ({ id, count, timeoutMs }) => faults.awaitMet(id, count, timeoutMs),
      failReach: (text) => new EmulatorError("not_reached", text),
    };
  }

  /** Every request to the model, oldest first. */
  get asked(): readonly AskedModel[] {
    return this.#parts.journal.asked;
  }

  /** From the next request on. */
  play(script: ModelScript): void {
    this.#parts.stage.script = script;
  }

  /** Resolves when the model was asked so often, counted from its start. */
  awaitAsked(count: number, timeoutMs: number = PATIENCE_MS): Promise<void> {
    return this.#parts.journal.awaitAsked(count, timeoutMs);
  }

  /** The first that matches a request meets it, in the order they were added. */
  fault(fault: ChatFault): InjectedFault {
    return new InjectedFault(this.#port, this.#parts.faults.add(fault));
  }

  /** A gate: requests wait before their answer, or behind so many chunks of it, until it is released. */
  hold(aim: Aim & { readonly afterChunks?: number } = {}): HeldGate {
    const at = aim.afterChunks === undefined ? "request" : "answer";
    return new HeldGate(this.#port, this.#parts.faults.add({ ...aim, kind: "hold", at }));
  }

  async close(): Promise<void> {
    await this.#parts.close();
    this.#parts.faults.clear();
  }
}
