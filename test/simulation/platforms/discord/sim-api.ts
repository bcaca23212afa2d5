/**
 * The plugin's calls, as its library makes them: what is over a limit is not sent before its time, and what would have to
 * wait for long is told at once.
 */
import type { Clock, OutboundMessage } from "@banyan/plugin-sdk";
import { pause } from "@banyan/plugin-sdk/kit";
import { classifyDiscordError } from "../../../../plugins/discord/src/discord-fault.ts";
import { createFaultReport } from "../../../../plugins/discord/src/fault-report.ts";
import {
  type Attempted,
  buildDiscordApi,
  type Call,
  type DiscordApi,
} from "../../../../plugins/discord/src/rest/discord-api.ts";
import type { Ground } from "../../world/ground.ts";
import { buildFailure, RateLimitError } from "./rest-answer.ts";
import { describe, type MortalGuest, type RestDoor } from "./rest-door.ts";
import { nameLimit, type Request, type Written } from "./route.ts";

/** As the plugin asks of its library. */
const LONGEST_WAIT_MS = 5_000;
/** An answer's date has whole seconds. */
const SECOND_MS = 1_000;
export const TOKEN = "MTIz.Gabc.tokentokentoken";

export interface SimApiParts {
  readonly ground: Ground;
  readonly guest: MortalGuest;
  readonly door: RestDoor;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The library of one connection. */
export class SimLibrary {
  readonly #parts: SimApiParts;
  readonly #limits = new Map<string, number>();
  readonly #report = createFaultReport(TOKEN);
  #startMs: number | undefined;

  constructor(parts: SimApiParts) {
    this.#parts = parts;
  }

  /** The platform's time, as far as an answer has told it. */
  readonly platformNow = (): number | undefined =>
    this.#startMs === undefined ? undefined : this.#startMs + this.#parts.clock.monotonic();

  /** `part`: what the calls are for, where that is a delivery. */
  createApi(part?: OutboundMessage): DiscordApi {
    return buildDiscordApi(async (call: Call): Promise<Attempted> => {
      try {
        return { answer: await this.#request(call, part) };
      } catch (error) {
        const fault = classifyDiscordError(error, call.context);
        return { fault, error: this.#report(call.attempt, error, call.context, fault) };
      }
    });
  }

  async #request({ method, route, query, body }: Call, part: OutboundMessage | undefined): Promise<unknown> {
    const { ground, guest, door, clock, signal } = this.#parts;
    const written: Written = JSON.parse(JSON.stringify(body ?? {}));
    const request: Request = { method, route, body: written, part, ...(query !== undefined && { query }) };
    for (;;) {
      await this.#waitFor(request);
      if (signal.aborted) throw buildFailure({ kind: "unsent" });
      const answer = await door.call(guest, request);
      this.#startMs = Math.floor(ground.clock.platformNow() / SECOND_MS) * SECOND_MS - clock.monotonic();
      // As over the wire.
      if (answer.kind === "ok") return JSON.parse(JSON.stringify(answer.body));
      if (answer.kind !== "limited") throw buildFailure(answer);
      this.#limits.set(answer.isGlobal ? "" : nameLimit(request), answer.untilMs);
      this.#observe(request, answer.untilMs, answer.isGlobal, false);
    }
  }

  async #waitFor(request: Request): Promise<void> {
    const { clock, signal } = this.#parts;
    for (;;) {
      const [route = 0, account = 0] = [nameLimit(request), ""].map((key) => this.#limits.get(key));
      const untilMs = Math.max(route, account);
      const waitMs = untilMs - clock.monotonic();
      if (waitMs <= 0 || signal.aborted) return;
      if (waitMs > LONGEST_WAIT_MS) {
        this.#observe(request, untilMs, account >= route, true);
        throw new RateLimitError(waitMs, account >= route);
      }
      await pause(clock, waitMs, signal);
    }
  }

  /** `isTold`: the host hears of it. */
  #observe(request: Request, untilMs: number, isGlobal: boolean, isTold: boolean): void {
    const { ground, guest } = this.#parts;
    const { row, chat } = describe(request);
    ground.observe({
      type: "limited",
      process: guest,
      row: isTold ? row : "",
      account: "discord/grove",
      chat: isGlobal ? undefined : chat,
      untilMs,
    });
  }
}
