import { ChannelError } from "@banyan/plugin-sdk";
import type { AccountName } from "../events/person.ts";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";
import type { Answer, Letter } from "./letter.ts";

const LIMIT_MS = 20_000;

/** Until when one account's platform takes nothing: of a chat, or of the account. */
export class RateLimits {
  readonly #ground: Ground;
  readonly #account: AccountName;
  /** By chat; the whole account's is under none. */
  readonly #untilMs = new Map<string | undefined, number>();

  constructor(ground: Ground, account: AccountName) {
    this.#ground = ground;
    this.#account = account;
  }

  set(guest: Guest, letter: Letter, scope: "chat" | "account"): Answer {
    const { clock, random } = this.#ground;
    const untilMs = clock.monotonic() + random.next() * LIMIT_MS;
    const chat = scope === "chat" ? letter.chat : undefined;
    this.#untilMs.set(chat, untilMs);
    return this.#tell(guest, letter, chat, untilMs);
  }

  /** `undefined`: nothing is in the way. */
  refuse(guest: Guest, letter: Letter): Answer | undefined {
    const { clock } = this.#ground;
    for (const chat of [letter.chat, undefined]) {
      const untilMs = this.#untilMs.get(chat);
      if (untilMs !== undefined && clock.monotonic() < untilMs) return this.#tell(guest, letter, chat, untilMs);
    }
    return undefined;
  }

  #tell(guest: Guest, { row }: Letter, chat: string | undefined, untilMs: number): Answer {
    const { clock } = this.#ground;
    return () => {
      const retryAfterMs = Math.max(1, untilMs - clock.monotonic());
      this.#ground.observe({ type: "limited", process: guest, row, account: this.#account, chat, untilMs });
      const isAccountWide = chat === undefined;
      throw new ChannelError("rate_limited", "A message was sent: too many", { retryAfterMs, isAccountWide });
    };
  }
}
