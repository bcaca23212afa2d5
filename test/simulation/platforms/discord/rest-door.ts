import type { CallFault } from "../../world/fault-box.ts";
import type { Ground } from "../../world/ground.ts";
import type { Guest } from "../../world/guest.ts";
import { GUILD } from "./guild.ts";
import type { RestAnswer } from "./rest-answer.ts";
import type { RestDesk } from "./rest-desk.ts";
import type { Rooms } from "./rooms.ts";
import { nameCall, nameLimit, type Request, readIds } from "./route.ts";

const LATENCY_MS = 120;
/** Most limits are short. */
const LONGEST_LIMIT_MS = 3 * 60_000;
/** Longer than the plugin trusts a key, and often longer than the platform knows it. */
const LEAST_FALL_MS = 50_000;
const FALL_MS = 80_000;
/** The host's client gives a call up. */
const TIMEOUT_MS = 30_000;

/** A process as the platform's faults reach it. */
export interface MortalGuest extends Guest {
  die(): void;
}

/** The way of a call to the platform and of its answer back, with all that can come between. It outlives every guest. */
export class RestDoor {
  readonly #ground: Ground;
  readonly #rooms: Rooms;
  readonly #desk: RestDesk;
  readonly #limits = new Map<string, number>();

  constructor(ground: Ground, rooms: Rooms, desk: RestDesk) {
    this.#ground = ground;
    this.#rooms = rooms;
    this.#desk = desk;
  }

  /** One call of a process. What it is answered reaches the process only while that lives. */
  call(guest: MortalGuest, request: Request): Promise<RestAnswer> {
    const { clock, random } = this.#ground;
    const { promise, resolve } = Promise.withResolvers<RestAnswer>();
    if (guest.isDead) return promise;
    const answer = (end: RestAnswer, afterMs = random.next() * LATENCY_MS) =>
      clock.schedule(afterMs, () => guest.enter(() => resolve(end)));
    // A guest that was cut off reaches nobody.
    if (!guest.isLeader) {
      answer({ kind: "unsent" }, 1);
      return promise;
    }
    this.#ground.observe({ type: "request", process: guest, account: "discord/grove", ...describe(request) });
    clock.schedule(random.next() * LATENCY_MS, () => {
      // A request of a process that died on the way may never have left its machine.
      if (guest.isDead && random.chance(0.5)) return;
      const end = this.#take(guest, request);
      if (end === "hangs") answer({ kind: "lost" }, TIMEOUT_MS);
      else if (end !== "nobody") answer(end);
    });
    return promise;
  }

  #take(guest: MortalGuest, request: Request): RestAnswer | "hangs" | "nobody" {
    const { faults, trace } = this.#ground;
    const standing = this.#findRefusal(request);
    if (standing !== undefined) return standing;
    const name = nameCall(request);
    const fault = faults.takeCall(name);
    if (fault === undefined) return this.#confirm(request);
    trace.tell(() => `  ! discord/grove ${fault} at ${name} ${request.route}`);
    return this.#spoil(fault, guest, request);
  }

  #findRefusal(request: Request): RestAnswer | undefined {
    const { clock, random, outageUntilMs } = this.#ground;
    if (clock.monotonic() < outageUntilMs) return { kind: random.chance(0.5) ? "unsent" : "trouble" };
    if (this.#rooms.isOutOfOrder && this.#isOfGuild(request)) return { kind: "trouble" };
    for (const scope of [nameLimit(request), ""]) {
      const untilMs = this.#limits.get(scope);
      if (untilMs !== undefined && clock.monotonic() < untilMs)
        return { kind: "limited", untilMs, isGlobal: scope === "" };
    }
    return undefined;
  }

  #isOfGuild({ route }: Request): boolean {
    const [id = ""] = readIds(route);
    const room = this.#rooms.find(id);
    return id === GUILD || (room !== undefined && room.place.kind !== "dm");
  }

  #spoil(fault: CallFault, guest: MortalGuest, request: Request): RestAnswer | "hangs" | "nobody" {
    const { clock, random } = this.#ground;
    if (fault.endsWith("_after")) this.#confirm(request);
    switch (fault) {
      case "route_limit":
      case "account_limit": {
        const untilMs = clock.monotonic() + random.next() ** 4 * LONGEST_LIMIT_MS;
        const isGlobal = fault === "account_limit";
        this.#limits.set(isGlobal ? "" : nameLimit(request), untilMs);
        return { kind: "limited", untilMs, isGlobal };
      }
      case "falls_before":
      case "falls_after":
        this.#ground.outageUntilMs = clock.monotonic() + LEAST_FALL_MS + random.next() * FALL_MS;
        return { kind: "lost" };
      case "unsent":
        return { kind: "unsent" };
      case "lost_before":
      case "lost_after":
        return { kind: "lost" };
      case "trouble_before":
      case "trouble_after":
        return { kind: "trouble" };
      case "hangs_before":
      case "hangs_after":
        return "hangs";
      case "crash_before":
      case "crash_after":
        guest.die();
        return "nobody";
    }
  }

  #confirm(request: Request): RestAnswer {
    const end = this.#desk.take(request);
    const { part, route, method } = request;
    this.#ground.trace.tell(
      () => `  discord ${method} ${route} ${JSON.stringify(request.body).slice(0, 100)} → ${describeEnd(end)}`,
    );
    if (end.kind === "refused" && part !== undefined)
      this.#ground.observe({ type: "refused", row: `${part.deliveryId}.${part.part}` });
    return end;
  }
}

function describeEnd(end: RestAnswer): string {
  return end.kind === "refused" ? String(end.code) : end.kind;
}

/** For who watches: the limit that a call is under stands for its chat. */
export function describe(request: Request): {
  readonly row: string;
  readonly chat: string;
  readonly address: string;
} {
  const { part } = request;
  const row = part === undefined ? nameCall(request) : `${part.deliveryId}.${part.part}`;
  return { row, chat: nameLimit(request), address: part?.address ?? "" };
}
