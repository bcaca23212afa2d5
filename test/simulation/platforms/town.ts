import type { InboundMessage } from "@banyan/plugin-sdk";
import type { Errand } from "../agents/errand.ts";
import { type Group, groupAddress, MENTION } from "../events/group.ts";
import { MAGPIE_ACCOUNTS, type MagpieSettings } from "../events/magpie-plan.ts";
import { type AccountName, addressOf, type MagpieAccount, type Person, type Said } from "../events/person.ts";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";
import { SECRET } from "../world/secret.ts";
import { BOT } from "./discord/guild.ts";
import { PlatformTown, type Spot } from "./discord/platform-town.ts";
import { PigeonLine } from "./pigeon-line.ts";
import { RavenGate } from "./raven-gate.ts";
import { SendDoor } from "./send-door.ts";

const GREETING_MS = 300;
const ECHO: Errand = { mood: "echo" };

export interface TownOptions {
  readonly forgetsKeys?: boolean;
  readonly hasGuild?: boolean;
  readonly magpies?: MagpieSettings | undefined;
}

interface GroupSaying {
  readonly person: Person;
  readonly isAddressed: boolean;
  readonly text: string;
  readonly errand: Errand;
}

interface GuildSaying extends GroupSaying {
  readonly spot: Spot;
}

/** The platforms with all their accounts, and what people wrote there. */
export class Town {
  readonly raven: RavenGate;
  /** Only some worlds have the platform with threads. */
  readonly guild: PlatformTown | undefined;
  /** Only some worlds have the platform whose messages can be edited. */
  readonly magpies: MagpieSettings | undefined;
  readonly #ground: Ground;
  readonly #doors = new Map<AccountName, SendDoor>();
  readonly #lines = new Map<AccountName, PigeonLine>();
  readonly #said = new Map<string, Said>();
  readonly #generations = new Map<Group, number>();
  /** By chat. */
  readonly #lastIds = new Map<string, number>();

  constructor(ground: Ground, { forgetsKeys = false, hasGuild = false, magpies }: TownOptions = {}) {
    this.#ground = ground;
    this.guild = hasGuild ? new PlatformTown(ground) : undefined;
    this.magpies = magpies;
    const magpieAccounts = magpies === undefined ? [] : MAGPIE_ACCOUNTS;
    for (const account of ["pigeon/east", "pigeon/west", ...magpieAccounts] as const) {
      this.#lines.set(account, new PigeonLine(ground, account));
      this.#doors.set(account, new SendDoor(ground, account, false));
    }
    this.raven = new RavenGate(ground, "raven/north");
    this.#doors.set("raven/north", new SendDoor(ground, "raven/north", !forgetsKeys));
  }

  doorOf(account: AccountName): SendDoor {
    return get(this.#doors, account);
  }

  lineOf(account: AccountName): PigeonLine {
    return get(this.#lines, account);
  }

  /** Accounts where something is written that no process has confirmed. */
  get unheard(): readonly AccountName[] {
    const unheard = [...this.#lines.values(), this.raven].filter(({ isEmpty }) => !isEmpty);
    return [...unheard.map(({ account }) => account), ...(this.guild?.owed.size ? (["discord/grove"] as const) : [])];
  }

  /** A person writes; the platform has it from now on. The first `#m` becomes the message's label. */
  says(person: Person, text: string, errand: Errand = ECHO): void {
    const number = this.#said.size + 1;
    if (person.account === "discord/grove") {
      this.saysInGuild({ person, text, errand, spot: "dm", isAddressed: false });
      return;
    }
    this.#deliver(number, person, errand, { id: String(number), address: addressOf(person), text });
  }

  /** A person writes on the platform with threads. */
  saysInGuild({ person, text, errand, spot, isAddressed }: GuildSaying): void {
    const label = `#m${this.#said.size + 1}`;
    const shown = (isAddressed && !text.startsWith("/") ? MENTION + text : text).replace("#m", label);
    const call = isAddressed ? `<@${BOT}> ` : "";
    const said = this.guild?.says({ personId: person.id, spot, text: call + shown });
    if (said === undefined) return;
    this.#ground.trace.tell(() => `${said.address} ${person.name}: ${shown} (${said.id})`);
    const message = { ...said, text: shown, sender: { id: person.id, displayName: person.name } };
    this.#said.set(label, { person, errand, message });
  }

  /** All accounts in the group hear it; the person's own one is spoken to. */
  saysInGroup(group: Group, { person, isAddressed, text, errand }: GroupSaying): void {
    const chat = this.#chatOf(group);
    const id = (this.#lastIds.get(chat) ?? 0) + 1;
    this.#lastIds.set(chat, id);
    const [spokenTo = person.account] = group.accounts.includes(person.account) ? [person.account] : group.accounts;
    for (const account of group.accounts) {
      const addressed = isAddressed && account === spokenTo;
      const message = { id: String(id), address: groupAddress(account, chat), addressed };
      const shown = addressed && !text.startsWith("/") ? MENTION + text : text;
      this.#deliver(this.#said.size + 1, { ...person, account }, errand, { ...message, text: shown });
    }
  }

  /** The other account is told the code that the one was given; without one it is asked for. */
  redeems(person: Person, of: Person): void {
    const code = this.doorOf(of.account).findCode(of.id);
    if (code === undefined) this.says(of, "/link");
    else this.says(person, `/link ${code}`);
  }

  /** The group goes on under a new id, where messages are counted from 1 again. */
  moves(group: Group, isTold: boolean): void {
    const from = this.#chatOf(group);
    const generation = (this.#generations.get(group) ?? 1) + 1;
    this.#generations.set(group, generation);
    const to = this.#chatOf(group);
    this.#ground.trace.tell(() => `  ! ${from} moves to ${to}${isTold ? "" : ", and nobody says so"}`);
    for (const account of group.accounts) {
      this.doorOf(account).move(from, groupAddress(account, to));
      const move = { from: groupAddress(account, from), to: groupAddress(account, to) };
      if (isTold) this.#lines.get(account)?.deliver({ move });
    }
  }

  /** A person corrects what was written, whichever the number falls on. */
  edits(number: number): void {
    const said = this.#findSaid(number);
    if (said === undefined) return;
    if (said.person.account === "discord/grove") {
      this.guild?.edits(said.message);
      return;
    }
    const { message } = said;
    const edited = { ...said, message: { ...message, text: `${message.text} !`, editedAt: this.#ground.clock.now() } };
    this.#ground.trace.tell(() => `${said.person.account} ${said.person.name} edits: ${edited.message.text}`);
    this.#hand(edited);
  }

  /** A platform sends once more what was written, whichever the number falls on. */
  repeats(number: number): void {
    const said = this.#findSaid(number);
    if (said === undefined) return;
    this.#ground.trace.tell(() => `  ! ${said.person.account} repeats ${said.message.text}`);
    const line = this.#lines.get(said.person.account);
    if (said.person.account === "discord/grove") this.guild?.repeats(said.message);
    else if (line === undefined) this.raven.repeat(said);
    else line.deliver({ said });
  }

  /** A person deletes a message of the bot's, where that can be edited. */
  deletesOfBot(account: MagpieAccount, place: number): void {
    this.#doors.get(account)?.remove(place);
  }

  #deliver(
    number: number,
    person: Person,
    errand: Errand,
    given: Pick<InboundMessage, "id" | "address" | "text" | "addressed">,
  ): void {
    const { id, name, isBot } = person;
    const message: InboundMessage = {
      ...given,
      sender: { id, displayName: name, ...(isBot === undefined ? {} : { isBot }) },
      text: given.text.replace("#m", `#m${number}`),
      at: this.#ground.clock.now(),
    };
    const said = { person, errand, message };
    this.#said.set(`#m${number}`, said);
    this.#ground.trace.tell(() => `${message.address} ${name}: ${message.text}`);
    this.#hand(said);
  }

  #hand(said: Said): void {
    const line = this.#lines.get(said.person.account);
    if (line === undefined) this.raven.deliver(said);
    else line.deliver({ said });
  }

  #findSaid(number: number): Said | undefined {
    return this.#said.size === 0 ? undefined : this.#said.get(`#m${(number % this.#said.size) + 1}`);
  }

  #chatOf(group: Group): string {
    const generation = this.#generations.get(group);
    return generation === undefined ? group.name : `${group.name}.${generation}`;
  }

  /** What the agent does about the message. */
  errandOf(label: string): Errand | undefined {
    return this.#said.get(label)?.errand;
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
