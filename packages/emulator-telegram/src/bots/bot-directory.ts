import type { Clock, Signal } from "@banyan/emulator-kit";
import { EmulatorError } from "../ports/error.ts";
import { Bot, type BotSpec } from "./bot.ts";

/** The bots of one emulator, by token and by id. */
export class BotDirectory {
  readonly #byToken = new Map<string, Bot>();
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #createSignal: () => Signal;

  constructor(clock: Clock, random: () => number, createSignal: () => Signal) {
    this.#clock = clock;
    this.#random = random;
    this.#createSignal = createSignal;
  }

  add(spec: BotSpec): Bot {
    const id = Number(/^([1-9]\d{0,15}):[A-Za-z0-9_-]+$/.exec(spec.token)?.[1]);
    if (!Number.isSafeInteger(id)) {
      throw new EmulatorError(
        "invalid_request",
        `adding bot @${spec.username}: its token is not of the form <id>:<secret>`,
      );
    }
    for (const other of this.#byToken.values()) {
      if (other.id !== id && other.profile.username !== spec.username) continue;
      throw new EmulatorError("invalid_request", `adding bot @${spec.username}: its id or username is taken`);
    }
    const surroundings = { clock: this.#clock, random: this.#random, delivered: this.#createSignal() };
    const bot = new Bot({ ...spec, id }, surroundings);
    this.#byToken.set(bot.token, bot);
    return bot;
  }

  /** Undefined for a token nobody has. */
  findByToken(token: string): Bot | undefined {
    return this.#byToken.get(token);
  }

  find(id: number): Bot | undefined {
    return this.all().find((bot) => bot.id === id);
  }

  /** The bot with that id; without an id, the only one there is. */
  get(id: number | undefined): Bot {
    const candidates = [...this.#byToken.values()].filter((bot) => id === undefined || bot.id === id);
    const [bot] = candidates;
    if (bot !== undefined && candidates.length === 1) return bot;
    const wanted = id === undefined ? "the only bot" : `bot ${id}`;
    throw new EmulatorError(
      "unknown_bot",
      `finding ${wanted}: ${candidates.length} bots match; name one that was added`,
    );
  }

  all(): Bot[] {
    return [...this.#byToken.values()];
  }
}
