import { CHANNEL_API_VERSION, type ChannelContext, type ChannelPlugin, defineChannelPlugin } from "@banyan/plugin-sdk";
import { readAccountName } from "../events/person.ts";
import type { Guest } from "../world/guest.ts";
import { pauseOn } from "../world/pause-on.ts";
import type { RavenEvent, RavenGate } from "./raven-gate.ts";
import type { Town } from "./town.ts";

const RETRY_MS = 1_000;
const MOST_EVENTS = 5;

/** A platform that pushes, resumes by number and knows each message by its key. */
export function createRavenPlugin(town: Town, guest: Guest): ChannelPlugin<unknown> {
  return defineChannelPlugin<unknown>({
    id: "raven",
    apiVersion: CHANNEL_API_VERSION,
    capabilities: {
      kinds: ["dm", "group"],
      text: { limit: 300, measure: (text) => text.length },
      threads: false,
      edits: false,
      delivery: "effectively-once",
    },
    config: { "~standard": { version: 1, vendor: "simulation", validate: (value) => ({ value }) } },
    async connect(context) {
      const account = readAccountName(`raven/${context.account}`);
      await town.greet(guest, account);
      const listener = new RavenListener(town.raven, guest, context);
      await listener.connect();
      const door = town.doorOf(account);
      return { send: (message) => door.send(guest, message), close: async () => undefined };
    },
  });
}

class RavenListener {
  readonly #gate: RavenGate;
  readonly #guest: Guest;
  readonly #context: ChannelContext<unknown>;
  #cursor: number | undefined;
  #queue: RavenEvent[] = [];
  #isReading = false;
  /** Events of a connection that broke are read again by the next one. */
  #connections = 0;

  constructor(gate: RavenGate, guest: Guest, context: ChannelContext<unknown>) {
    this.#gate = gate;
    this.#guest = guest;
    this.#context = context;
    this.#cursor = context.cursor === undefined ? undefined : Number(context.cursor);
  }

  async connect(): Promise<void> {
    this.#connections += 1;
    const connection = this.#connections;
    let live: RavenEvent[] | undefined = [];
    const isResumed = await this.#gate.connect(this.#guest, this.#cursor, {
      onEvent: (event) => {
        if (connection !== this.#connections) return;
        if (live !== undefined) live.push(event);
        else this.#take([event]);
      },
      onClosed: () => void this.#reconnect(),
    });
    // What is pushed meanwhile comes behind the gap.
    const gap = isResumed ? [] : await this.#gate.readAfter(this.#guest, this.#cursor ?? 0);
    if (connection !== this.#connections) return;
    const behind = live;
    live = undefined;
    this.#take([...gap, ...behind]);
  }

  async #reconnect(): Promise<void> {
    const { signal, clock, log } = this.#context;
    this.#connections += 1;
    this.#queue = [];
    while (!signal.aborted) {
      await pauseOn(clock, RETRY_MS, signal);
      if (signal.aborted) return;
      try {
        await this.connect();
        return;
      } catch (error) {
        log.warn({ err: error }, "the ravens were not reached");
      }
    }
  }

  #take(events: readonly RavenEvent[]): void {
    this.#queue.push(...events);
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    const { signal, clock, log } = this.#context;
    this.#isReading = true;
    while (this.#queue.length > 0 && !signal.aborted) {
      const batch = this.#queue.slice(0, MOST_EVENTS);
      const connection = this.#connections;
      const next = Math.max(this.#cursor ?? 0, ...batch.map(({ seq }) => seq));
      try {
        await this.#context.receive(
          batch.map(({ said }) => said.message),
          { cursor: String(next) },
        );
        this.#cursor = next;
        this.#gate.acknowledge(next);
        if (connection === this.#connections) this.#queue.splice(0, batch.length);
      } catch (error) {
        log.warn({ err: error }, "the ravens were not heard");
        await pauseOn(clock, RETRY_MS, signal);
      }
    }
    this.#isReading = false;
  }
}
