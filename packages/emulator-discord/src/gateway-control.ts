import { PATIENCE_MS } from "@banyan/emulator-kit";
import { awaitConnection, pushEvent, troubleGateway } from "./control/gateway-operations.ts";
import type { Control } from "./control/operation.ts";
import { EmulatorError } from "./ports/error.ts";

/** What a test does to the gateway's connections, sessions and dispatches. A bot left out is every bot. */
export class GatewayControl {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  /** Closes connections with a code, or tears them without one; answers how many there were. */
  drop(options: { readonly code?: number; readonly botId?: string } = {}): Promise<number> {
    return this.#control.call(troubleGateway, { kind: "drop", ...options });
  }

  /** Op 9 (D46). */
  invalidate({ resumable, botId }: { readonly resumable: boolean; readonly botId?: string }): Promise<number> {
    const bot = botId === undefined ? {} : { botId };
    return this.#control.call(troubleGateway, { kind: "invalidate", isResumable: resumable, ...bot });
  }

  /** Op 7 (D45). */
  reconnect(options: { readonly botId?: string } = {}): Promise<number> {
    return this.#control.call(troubleGateway, { kind: "reconnect", ...options });
  }

  /** The next RESUME gets op 9 with `false`, or is closed with a code such as 4007 or 4009 (D46). */
  async refuseResume(options: { readonly code?: number } = {}): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "refuse-resume", ...options });
  }

  /** The next RESUME is never answered, while heartbeats on that connection are. */
  async ignoreResume(): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "ignore-resume" });
  }

  /** The next RESUME gets its dispatches, and those that follow, but no RESUMED: a replay that takes long. */
  async replayEndlessly(): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "endless-replay" });
  }

  /** Each connection that begins or resumes a session is closed with the code, before READY; no code ends that. */
  async turnAway(code?: number): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "turn-away", ...(code !== undefined && { code }) });
  }

  /** The next RESUME gets READY in place of RESUMED, and nothing of what it missed (D50). */
  async forgetReplay(): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "forget-replay" });
  }

  /** The next `count` dispatches come twice each (D49). */
  async duplicate(count: number = 1): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "duplicate", count });
  }

  /** The next `count` dispatches wait for one another and come in the opposite order (D58). */
  async reorder(count: number = 2): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "reorder", count });
  }

  /** Heartbeats stay without their acknowledgement (D48); create the emulator with a short `heartbeatIntervalMs`. */
  async silenceHeartbeats(isOn: boolean = true): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "silence", isOn });
  }

  /** Whoever wants to connect gets 503; connections that there are stay. */
  async outage(isOn: boolean = true): Promise<void> {
    await this.#control.call(troubleGateway, { kind: "outage", isOn });
  }

  /** Dispatches anything to a bot, such as an event of a kind that nobody knows yet (D59). */
  pushes(type: string, data: unknown, botId?: string): Promise<void> {
    return this.#control.call(pushEvent, { type, data, ...(botId !== undefined && { botId }) });
  }

  /** Resolves when the bot has a connection that is identified or resumed. */
  connected(options: { readonly botId?: string; readonly timeoutMs?: number } = {}): Promise<void> {
    return this.#await(true, options);
  }

  disconnected(options: { readonly botId?: string; readonly timeoutMs?: number } = {}): Promise<void> {
    return this.#await(false, options);
  }

  async #await(isConnected: boolean, options: { readonly botId?: string; readonly timeoutMs?: number }): Promise<void> {
    const { timeoutMs = PATIENCE_MS, ...bot } = options;
    if (await this.#control.call(awaitConnection, { ...bot, isConnected, timeoutMs })) return;
    const what = isConnected ? "to connect" : "to lose its connection";
    throw new EmulatorError("not_reached", `waiting ${timeoutMs} ms for the bot ${what}: it did not`);
  }
}
