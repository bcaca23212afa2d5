/** The plugin's end of the gateway: which session goes on from where, as its client decides it. */
import type { Clock } from "@banyan/plugin-sdk";
import { pause } from "@banyan/plugin-sdk/kit";
import type { GatewayDispatchPayload, GatewayReadyDispatchData } from "discord.js";
import type { GatewayEvent } from "../../../../plugins/discord/src/gateway/gateway-event.ts";
import { noteSession } from "../../../../plugins/discord/src/state/account-state.ts";
import type { StateKeeper } from "../../../../plugins/discord/src/state/state-keeper.ts";
import type { Guest } from "../../world/guest.ts";
import type { Dispatch, Frame, Gate, Resumption } from "./gate.ts";

const RETRY_MS = 1_000;

export interface GatewayLineParts {
  readonly gate: Gate;
  readonly guest: Guest;
  readonly keeper: StateKeeper;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEvent: (event: GatewayEvent) => void;
}

export class GatewayLine {
  readonly #parts: GatewayLineParts;
  /** What came last, stored or not: where a connection that breaks in this process goes on. */
  #live: Resumption | undefined;
  /** What a connection that was given up still brings counts for nothing. */
  #connections = 0;

  constructor(parts: GatewayLineParts) {
    this.#parts = parts;
    this.#connect();
  }

  /** Goes on behind what is stored: what came since then is sent again. */
  rewind(): void {
    this.#live = undefined;
    this.#connect();
  }

  #connect(): void {
    const { gate, guest, signal } = this.#parts;
    if (signal.aborted) return;
    this.#connections += 1;
    const connection = this.#connections;
    gate.connect(guest, this.#live ?? this.#findStored(), (frame) => {
      if (connection === this.#connections && !signal.aborted) this.#take(frame);
    });
  }

  #take(frame: Frame): void {
    const { keeper, onEvent } = this.#parts;
    switch (frame.kind) {
      case "dispatch":
        this.#pass(frame.dispatch);
        return;
      case "resumed":
        onEvent({ kind: "resumed", shard: 0 });
        return;
      case "invalid":
        this.#live = undefined;
        keeper.note((state) => noteSession(state, 0, null, 1));
        void this.#reconnect();
        return;
      case "closed":
        void this.#reconnect();
    }
  }

  #pass({ t, s, d }: Dispatch): void {
    const { onEvent } = this.#parts;
    // As over the wire.
    const wire = JSON.stringify({ op: 0, t, s, d });
    if (t === "READY") {
      const { d: data }: { readonly d: GatewayReadyDispatchData } = JSON.parse(wire);
      this.#live = { id: data.session_id, seq: s };
      onEvent({ kind: "ready", shard: 0, shards: 1, data });
      return;
    }
    if (this.#live === undefined) this.#live = this.#findStored();
    if (this.#live !== undefined) this.#live = { ...this.#live, seq: s };
    const payload: GatewayDispatchPayload = JSON.parse(wire);
    onEvent({ kind: "dispatch", shard: 0, payload });
  }

  async #reconnect(): Promise<void> {
    const { clock, signal } = this.#parts;
    this.#connections += 1;
    const connection = this.#connections;
    await pause(clock, RETRY_MS, signal);
    if (connection === this.#connections) this.#connect();
  }

  #findStored(): Resumption | undefined {
    const [session] = this.#parts.keeper.state.shards;
    return session === undefined || session === null ? undefined : { id: session.id, seq: session.seq };
  }
}
