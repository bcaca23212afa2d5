import { EmulatorError } from "../ports/error.ts";
import { isSnowflake } from "../ports/snowflake.ts";
import { Bot, type BotSpec } from "./bot.ts";

/** The bots of one emulator, by token and by id. */
export class BotDirectory {
  readonly #byToken = new Map<string, Bot>();
  readonly #byId = new Map<string, Bot>();
  readonly #nextId: () => string;

  constructor(nextId: () => string) {
    this.#nextId = nextId;
  }

  add(spec: BotSpec): Bot {
    const id = spec.id ?? this.#nextId();
    if (!isSnowflake(id) || this.#byId.has(id) || this.#byToken.has(spec.token)) {
      const text = `adding bot ${spec.username}: its id ${id} is no snowflake, or its id or token is taken`;
      throw new EmulatorError("invalid_request", text);
    }
    const bot = new Bot({ ...spec, id });
    this.#byToken.set(bot.token, bot);
    this.#byId.set(id, bot);
    return bot;
  }

  /** Undefined for a token nobody has, or has no more. */
  findByToken(token: string): Bot | undefined {
    const bot = this.#byToken.get(token);
    return bot?.isRevoked === true ? undefined : bot;
  }

  find(id: string): Bot | undefined {
    return this.#byId.get(id);
  }

  /** The bot with that id; without an id, the only one there is. */
  get(id: string | undefined): Bot {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known !== undefined) return known;
    const candidates = id === undefined ? this.all() : [];
    const [bot] = candidates;
    if (bot !== undefined && candidates.length === 1) return bot;
    const wanted = id === undefined ? "the only bot" : `bot ${id}`;
    const text = `finding ${wanted}: ${candidates.length} bots match; name one that was added`;
    throw new EmulatorError("unknown_bot", text);
  }

  all(): Bot[] {
    return [...this.#byId.values()];
  }
}
