import type { AgentMood } from "../agents/agent-mood.ts";
import { type AccountName, addressOf, type Person, type Said } from "../events/person.ts";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";
import { SECRET } from "../world/secret.ts";
import { PigeonLine } from "./pigeon-line.ts";
import { RavenGate } from "./raven-gate.ts";
import { SendDoor } from "./send-door.ts";

const GREETING_MS = 300;

/** The platforms with all their accounts, and what people wrote there. */
export class Town {
  readonly raven: RavenGate;
  readonly #ground: Ground;
  readonly #doors = new Map<AccountName, SendDoor>();
  readonly #lines = new Map<AccountName, PigeonLine>();
  readonly #said = new Map<string, Said>();

  constructor(ground: Ground) {
    this.#ground = ground;
    for (const account of ["pigeon/east", "pigeon/west"] as const) {
      this.#lines.set(account, new PigeonLine(ground, account));
      this.#doors.set(account, new SendDoor(ground, account, false));
    }
    this.raven = new RavenGate(ground, "raven/north");
    this.#doors.set("raven/north", new SendDoor(ground, "raven/north", true));
  }

  doorOf(account: AccountName): SendDoor {
    return get(this.#doors, account);
  }

  lineOf(account: AccountName): PigeonLine {
    return get(this.#lines, account);
  }

  /** Accounts where something is written that no process has confirmed. */
  get unheard(): readonly AccountName[] {
    return [...this.#lines.values(), this.raven].filter(({ isEmpty }) => !isEmpty).map(({ account }) => account);
  }

  /** A person writes; the platform has it from now on. The first `#m` becomes the message's label. */
  says(person: Person, text: string, mood: AgentMood): void {
    const number = this.#said.size + 1;
    const { id, name, account, isBot } = person;
    const said: Said = {
      person,
      mood,
      message: {
        id: String(number),
        address: addressOf(person),
        sender: { id, displayName: name, ...(isBot === undefined ? {} : { isBot }) },
        text: text.replace("#m", `#m${number}`),
        at: this.#ground.clock.now(),
      },
    };
    this.#said.set(`#m${number}`, said);
    this.#ground.trace.tell(() => `${account} ${name}: ${said.message.text}`);
    const line = this.#lines.get(account);
    if (line === undefined) this.raven.deliver(said);
    else line.deliver(said);
  }

  /** A platform sends once more what was written, whichever the number falls on. */
  repeats(number: number): void {
    if (this.#said.size === 0) return;
    const said = this.#said.get(`#m${(number % this.#said.size) + 1}`);
    if (said === undefined) return;
    this.#ground.trace.tell(() => `  ! ${said.person.account} repeats ${said.message.text}`);
    const line = this.#lines.get(said.person.account);
    if (line === undefined) this.raven.repeat(said);
    else line.deliver(said);
  }

  moodOf(label: string): AgentMood {
    return this.#said.get(label)?.mood ?? "echo";
  }

  /** A process connects. */
  greet(guest: Guest, account: AccountName): Promise<void> {
    const { clock, random, faults } = this.#ground;
    const fault = faults.takeGreeting(account);
    return new Promise((resolve, reject) => {
      if (fault === "hangs" || guest.isDead) return;
      clock.schedule(random.next() * GREETING_MS, () =>
        guest.enter(() => {
          // What a plugin should not throw, and should not say.
          if (fault === "odd_throw") reject(`no greeting for ${SECRET}`);
          else resolve();
        }),
      );
    });
  }
}

function get<Value>(map: ReadonlyMap<AccountName, Value>, account: AccountName): Value {
  const found = map.get(account);
  if (found === undefined) throw new Error(`The account ${account} was looked up: the town has none of that name`);
  return found;
}
