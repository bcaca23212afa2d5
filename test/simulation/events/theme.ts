import type { Random } from "../world/random.ts";
import { GROUPS, type Group, MAGPIE_GROUPS } from "./group.ts";
import { drawMagpieSettings, type MagpieSettings } from "./magpie-plan.ts";
import { FAMILIES, GUILD_PEOPLE, MAGPIE_PEOPLE, PEOPLE, type Person, STRANGERS } from "./person.ts";
import type { EventKind } from "./world-event.ts";

/** Of a world in which a little of everything happens. */
const WEIGHTS: ReadonlyMap<EventKind, number> = new Map([
  ["says", 44],
  ["says_in_group", 9],
  ["edit", 3],
  ["delete_of_bot", 0],
  ["settle_pairing", 3],
  ["redeem", 3],
  ["operator_link", 1],
  ["operator_unlink", 1],
  ["rekey", 1.5],
  ["kill_run", 0.5],
  ["delete_session", 0.5],
  ["reset", 0.5],
  ["migrate", 1.5],
  ["burst", 3],
  ["repeat", 5],
  ["drop", 4],
  ["lose_poll", 3],
  ["send_fault", 14],
  ["greeting_fault", 2],
  ["commit_fault", 7],
  ["point_fault", 5],
  ["outage", 1],
  ["full", 0.7],
  ["crash", 2],
  ["pause", 3],
  ["stop", 2],
  ["jump", 2],
  ["says_in_guild", 0],
  ["touch_thread", 0],
  ["gate_trouble", 0],
  ["guild_outage", 0],
  ["call_fault", 0],
  ["lull", 0],
]);

/** Up to there a world has the platform whose messages can be edited. */
const MAGPIE_LOT = 0.15;
const LONGEST_GAP_MS = 3_000;

/** What a world is mostly about: rare things meet only where there are many of them. */
export interface Theme {
  readonly weights: ReadonlyMap<EventKind, number>;
  readonly people: readonly Person[];
  readonly strangers: readonly Person[];
  readonly families: readonly (readonly Person[])[];
  readonly groups: readonly Group[];
  /** How much of what is said is said by strangers. */
  readonly strangeness: number;
  /** How much of what is said lets the agent ask others. */
  readonly asking: number;
  /** Whether people also talk on the platform with threads. */
  readonly hasGuild: boolean;
  /** How much of what is asked is given a thread. */
  readonly threading: number;
  /** How the accounts deliver whose messages can be edited, where there are any. */
  readonly magpies?: MagpieSettings;
}

const ANYTHING: Theme = {
  weights: WEIGHTS,
  people: PEOPLE,
  strangers: STRANGERS,
  families: FAMILIES,
  groups: GROUPS,
  strangeness: 0.08,
  asking: 0.08,
  hasGuild: false,
  threading: 0,
};

/**
 * A few people in a server, with agents in its threads. Nobody is suspended here: what the account has to know in its next
 * life stands in its cursor, and a process that writes one beside its successor is what the store's lock is for.
 */
const GUILD: Theme = {
  ...ANYTHING,
  weights: new Map([
    ["says", 3],
    ["says_in_guild", 40],
    ["touch_thread", 4],
    ["gate_trouble", 5],
    ["guild_outage", 1.5],
    ["call_fault", 16],
    ["lull", 3],
    ["edit", 2],
    ["repeat", 3],
    ["kill_run", 1],
    ["delete_session", 1],
    ["reset", 1],
    ["greeting_fault", 0.5],
    ["commit_fault", 6],
    ["point_fault", 6],
    ["outage", 1.5],
    ["full", 0.5],
    ["crash", 2.5],
    ["stop", 2],
  ]),
  people: [...GUILD_PEOPLE, ...PEOPLE.slice(0, 1)],
  strangeness: 0,
  asking: 0.45,
  hasGuild: true,
  threading: 0.7,
};

export function drawTheme(random: Random): Theme {
  const lot = random.next();
  if (lot < 0.03) return GUILD;
  if (lot < MAGPIE_LOT) return drawMagpies(random);
  if (lot < 0.38) return ANYTHING;
  if (lot < 0.62) return drawGrove(random);
  if (lot < 0.76) {
    const family = random.pick(FAMILIES);
    const weights = { redeem: 14, operator_link: 6, operator_unlink: 6, rekey: 5, says_in_group: 0, migrate: 0 };
    return { ...ANYTHING, weights: change(weights), people: family, families: [family] };
  }
  if (lot < 0.86) {
    const weights = { settle_pairing: 14, says_in_group: 0, migrate: 0, rekey: 0 };
    const strangers = [random.pick(STRANGERS), random.pick(STRANGERS)];
    return { ...ANYTHING, weights: change(weights), strangers, strangeness: 0.5 };
  }
  const [group = random.pick(GROUPS)] = GROUPS;
  const weights = { says: 10, says_in_group: 40, migrate: 6, edit: 8, redeem: 0, rekey: 0 };
  return { ...ANYTHING, weights: change(weights), groups: [group] };
}

/** A few people whose agents ask others, and these others again. */
function drawGrove(random: Random): Theme {
  const weights = {
    redeem: 0,
    operator_link: 0,
    operator_unlink: 0,
    settle_pairing: 0,
    burst: 1,
    edit: 1,
    rekey: 0.7,
    kill_run: 4,
    delete_session: 2,
    reset: 2,
  };
  const people = [random.pick(PEOPLE), random.pick(PEOPLE)];
  return { ...ANYTHING, weights: change(weights), people, strangeness: 0, asking: 0.5 };
}

/** A few people whose agents ask others, where messages can be edited. */
function drawMagpies(random: Random): Theme {
  const weights = {
    ...{ redeem: 0, operator_link: 0, operator_unlink: 0, settle_pairing: 0, burst: 1, edit: 1, rekey: 0, drop: 0 },
    ...{ kill_run: 2, delete_session: 1, delete_of_bot: 4, send_fault: 20, point_fault: 8, commit_fault: 6 },
  };
  return {
    ...ANYTHING,
    weights: change(weights),
    people: [...MAGPIE_PEOPLE, ...PEOPLE.slice(0, 1)],
    groups: MAGPIE_GROUPS,
    strangeness: 0,
    asking: 0.6,
    magpies: drawMagpieSettings(random),
  };
}

/** Longer than a platform remembers a key. */
const LONGEST_LULL_MS = 5 * 60_000;

/** Mostly close behind each other, so that things meet. */
export function drawGap(random: Random, kind: EventKind): number {
  if (kind === "lull") return random.next() * LONGEST_LULL_MS;
  return random.chance(0.6) ? random.next() * 150 : random.next() * LONGEST_GAP_MS;
}

function change(weights: Partial<Record<EventKind, number>>): ReadonlyMap<EventKind, number> {
  return new Map([...WEIGHTS].map(([kind, weight]) => [kind, weights[kind] ?? weight]));
}
