import type { Clock, TurnMessage } from "@banyan/plugin-sdk";
import type { AgentProcess } from "../processes/agent-process.ts";
import { buildPrompt } from "./prompt-text.ts";

/** Which of the extension's outcomes says that the running prompt has the message. */
const INJECTED = "injected";
/** The agent has begun to work on it by itself, which nobody listens to. */
const STARTED = "startedNewTurn";
/** A message that is still on its way when its turn has ended is waited for so long. */
const SETTLE_LIMIT_MS = 1_000;

type Receipt = "delivered" | "returned";

/** Messages for the prompt under way. Each is settled by the time the turn ends: the agent has it, or the host keeps it. */
export class SteerDesk {
  readonly #agent: AgentProcess;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #namesSenders: boolean;
  readonly #underWay = new Set<Promise<Receipt>>();
  readonly #over = Promise.withResolvers<Receipt>();
  #isOpen = false;

  constructor(
    agent: AgentProcess,
    sessionId: string,
    { clock, namesSenders }: { readonly clock: Clock; readonly namesSenders: boolean },
  ) {
    this.#agent = agent;
    this.#sessionId = sessionId;
    this.#clock = clock;
    this.#namesSenders = namesSenders;
  }

  /** The agent has its prompt. */
  open(): void {
    this.#isOpen = true;
  }

  async steer(message: TurnMessage): Promise<Receipt> {
    if (!this.#isOpen || !this.#agent.abilities.canSteer) return "returned";
    const receipt = Promise.race([this.#hand(message), this.#over.promise]);
    this.#underWay.add(receipt);
    try {
      return await receipt;
    } finally {
      this.#underWay.delete(receipt);
    }
  }

  /** No message is taken any more; resolves when each that was has its receipt. */
  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#underWay.size === 0) return;
    const cancel = this.#clock.schedule(SETTLE_LIMIT_MS, () => this.#over.resolve("returned"));
    await Promise.allSettled(this.#underWay);
    cancel();
  }

  async #hand(message: TurnMessage): Promise<Receipt> {
    const { link } = this.#agent;
    const prompt = buildPrompt({ messages: [message], wasCutOff: false, namesSenders: this.#namesSenders });
    try {
      const outcome = await link.steer(this.#sessionId, prompt);
      if (outcome === STARTED) await link.cancel(this.#sessionId);
      return outcome === INJECTED ? "delivered" : "returned";
    } catch (error) {
      // It did not say that it has it; a turn of its own makes sure.
      return error instanceof Error ? "returned" : Promise.reject(error);
    }
  }
}
