import { ChannelError, type OutboundMessage } from "@banyan/plugin-sdk";
import type { DeliveryRow, Step, StepResult, Store } from "@banyan/store";
import { createLifecycleHooks } from "../../../src/hooks/lifecycle-hooks.ts";
import { AccountOutbox } from "../../../src/outbound/outbox.ts";
import { createDeadlines } from "../../../src/ports/deadlines.ts";
import { openTestData, openTestStore, returnTestData } from "../../open-test-store.ts";
import { createTestPorts, type TestPorts } from "../../ports/test-ports.ts";

/** More than any of these worlds needs. */
const LONGEST_MS = 20 * 60_000;
const STEP_MS = 2_000;

/** What happens where a fault strikes: the process dies, or the platform's answer is lost, before or after it acted. */
type Effect = "dies" | "lost" | "unsent";

export interface ChatLine {
  text: string;
  /** All that it has said. */
  readonly said: string[];
}

/**
 * A store and a platform that outlive the processes between them. Each place where something can go wrong has a number, counted
 * over all lives; at those that are named it does.
 */
export class MortalWorld {
  readonly lines: ChatLine[] = [];
  readonly store: Store;
  places = 0;
  lives = 0;
  readonly #faults: ReadonlySet<number>;
  readonly #refusesEdits: boolean;
  readonly #ports: TestPorts = createTestPorts();
  readonly #data = openTestData();

  /** `refusesEdits`: the platform takes messages, and no edit. */
  constructor(faults: readonly number[], { refusesEdits = false }: { readonly refusesEdits?: boolean } = {}) {
    this.#faults = new Set(faults);
    this.#refusesEdits = refusesEdits;
    this.store = openTestStore({ clock: this.#ports.clock, data: this.#data });
  }

  /** Processes live one after the other until the rows have come to their ends. */
  async settle(): Promise<readonly DeliveryRow[]> {
    for (let passedMs = 0; passedMs < LONGEST_MS; ) {
      const life = this.#begin();
      while (!life.isDead && passedMs < LONGEST_MS) {
        const rows = await this.store.read.deliveries({ limit: 100 });
        if (rows.every(({ state }) => state !== "pending" && state !== "sending" && state !== "stuck")) return rows;
        await this.#ports.clock.advance(STEP_MS);
        passedMs += STEP_MS;
      }
      life.isDead = true;
    }
    throw new Error("The world was played: its rows have come to no end");
  }

  /** There are more worlds than databases. */
  close(): void {
    returnTestData(this.#data);
  }

  #begin(): { isDead: boolean } {
    this.lives += 1;
    const life = { isDead: false };
    const owner = `life ${this.lives}`;
    const { clock } = this.#ports;
    const ports = createTestPorts({ faultPoint: () => void this.#strike(life, ["dies"]) });
    const alive = { ...ports, clock };
    const hooks = createLifecycleHooks(alive);
    const store = mortal(this.store, life);
    const outbox = new AccountOutbox({
      channel: "irc",
      account: "default",
      owner,
      store,
      ports: alive,
      deadlines: createDeadlines(clock, LONGEST_MS),
      announce: (announcement) => hooks.announce.call(announcement),
      signal: new AbortController().signal,
      onUnauthorized: () => undefined,
      onMigrated: async () => undefined,
    });
    void store.commit({ step: "recover", owner }).then(() =>
      outbox.connect({
        send: (message) => this.#act(life, () => this.#post(message)),
        edits: { edit: ({ platformId, text }) => this.#act(life, () => this.#edit(platformId, text)) },
      }),
    );
    return life;
  }

  #post({ text }: OutboundMessage): { platformId: string } {
    this.lines.push({ text, said: [text] });
    return { platformId: String(this.lines.length - 1) };
  }

  #edit(platformId: string, text: string): void {
    if (this.#refusesEdits) throw new ChannelError("chat_gone", "Editing: no right to do so");
    const line = this.lines[Number(platformId)];
    if (line === undefined) throw new ChannelError("message_gone", "Editing: there is no such message");
    line.text = text;
    line.said.push(text);
  }

  async #act<Answer>(life: { isDead: boolean }, act: () => Answer): Promise<Answer> {
    if (life.isDead) return new Promise(() => undefined);
    const before = this.#strike(life, ["dies", "unsent"]);
    if (before === "unsent") throw new ChannelError("ambiguous", "Sending: no answer");
    if (life.isDead) return new Promise(() => undefined);
    const answer = act();
    const after = this.#strike(life, ["dies", "lost"]);
    if (after === "lost") throw new ChannelError("ambiguous", "Sending: no answer");
    return life.isDead ? new Promise(() => undefined) : answer;
  }

  /** One number for each effect. */
  #strike(life: { isDead: boolean }, effects: readonly Effect[]): Effect | undefined {
    if (life.isDead) return undefined;
    let struck: Effect | undefined;
    for (const effect of effects) {
      if (this.#faults.has(this.places) && struck === undefined) struck = effect;
      this.places += 1;
    }
    if (struck === "dies") life.isDead = true;
    return struck;
  }
}

/** What a dead process asks is never done. */
function mortal(store: Store, life: { readonly isDead: boolean }): Store {
  const never = new Promise<never>(() => undefined);
  return {
    ...store,
    read: store.read,
    driver: store.driver,
    onFailure: (listener) => store.onFailure(listener),
    close: () => store.close(),
    commit: <S extends Step>(step: S): Promise<StepResult<S>> => (life.isDead ? never : store.commit(step)),
  };
}
