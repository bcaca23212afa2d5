import { ChannelError } from "@banyan/plugin-sdk";
import type { ChatMove } from "../events/group.ts";
import type { AccountName, Said } from "../events/person.ts";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";

const LATENCY_MS = 60;
const MOST_UPDATES = 10;

/** Something was said, or a chat has moved. */
export interface Update {
  readonly id: number;
  readonly said?: Said;
  readonly move?: ChatMove;
}

interface Poll {
  readonly guest: Guest;
  readonly answer: PromiseWithResolvers<readonly Update[]>;
}

/** Updates of one pigeon account: given out until a poll with a greater offset confirms them. */
export class PigeonLine {
  readonly #ground: Ground;
  readonly account: AccountName;
  #updates: Update[] = [];
  #lastId = 0;
  #waiting: Poll | undefined;

  constructor(ground: Ground, account: AccountName) {
    this.#ground = ground;
    this.account = account;
  }

  /** Whether everything that was said here has been confirmed. */
  get isEmpty(): boolean {
    return this.#updates.length === 0;
  }

  deliver(news: Omit<Update, "id">): void {
    this.#lastId += 1;
    this.#updates.push({ id: this.#lastId, ...news });
    const poll = this.#waiting;
    if (poll === undefined) return;
    this.#waiting = undefined;
    this.#answer(poll);
  }

  /** One poller at a time: an earlier one is never answered. */
  poll(guest: Guest, offset: number): Promise<readonly Update[]> {
    const answer = Promise.withResolvers<readonly Update[]>();
    if (guest.isDead || !guest.isLeader) return answer.promise;
    const { clock, random, outageUntilMs } = this.#ground;
    clock.schedule(random.next() * LATENCY_MS, () => {
      if (clock.monotonic() < outageUntilMs) {
        guest.enter(() => answer.reject(new ChannelError("definite", "Updates were polled: connection refused")));
        return;
      }
      this.#confirm(offset);
      this.#waiting = undefined;
      if (this.#updates.length === 0) this.#waiting = { guest, answer };
      else this.#answer({ guest, answer });
    });
    return answer.promise;
  }

  #confirm(offset: number): void {
    const confirmed = this.#updates.filter(({ id }) => id < offset);
    if (confirmed.length === 0) return;
    this.#updates = this.#updates.filter(({ id }) => id >= offset);
    this.#ground.observe({
      type: "confirmed",
      said: confirmed.flatMap(({ said }) => said ?? []),
      moves: confirmed.flatMap(({ move }) => move ?? []),
    });
  }

  #answer({ guest, answer }: Poll): void {
    const { clock, random, faults } = this.#ground;
    const isLost = faults.takePoll(this.account);
    clock.schedule(random.next() * LATENCY_MS, () => {
      const updates = this.#updates.slice(0, MOST_UPDATES);
      guest.enter(() => {
        if (isLost) answer.reject(new ChannelError("ambiguous", "Updates were polled: the connection was reset"));
        else answer.resolve(updates);
      });
    });
  }
}
