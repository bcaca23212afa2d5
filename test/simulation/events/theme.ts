import type { Random } from "../world/random.ts";
import { GROUPS, type Group } from "./group.ts";
import { FAMILIES, PEOPLE, type Person, STRANGERS } from "./person.ts";
import type { EventKind } from "./world-event.ts";

/** Of a world in which a little of everything happens. */
const WEIGHTS: ReadonlyMap<EventKind, number> = new Map([
  ["says", 44],
  ["says_in_group", 9],
  ["edit", 3],
  ["settle_pairing", 3],
  ["redeem", 3],
  ["operator_link", 1],
  ["operator_unlink", 1],
  ["rekey", 1.5],
  ["kill_run", 0.5],
  ["delete_session", 0.5],
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
]);

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
}

const ANYTHING: Theme = {
  weights: WEIGHTS,
  people: PEOPLE,
  strangers: STRANGERS,
  families: FAMILIES,
  groups: GROUPS,
  strangeness: 0.08,
  asking: 0.08,
};

export function drawTheme(random: Random): Theme {
  const lot = random.next();
  if (lot < 0.35) return ANYTHING;
  if (lot < 0.6) return drawGrove(random);
  if (lot < 0.75) {
    const family = random.pick(FAMILIES);
    const weights = { redeem: 14, operator_link: 6, operator_unlink: 6, rekey: 5, says_in_group: 0, migrate: 0 };
    return { ...ANYTHING, weights: change(weights), people: family, families: [family] };
  }
  if (lot < 0.85) {
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
  };
  const people = [random.pick(PEOPLE), random.pick(PEOPLE)];
  return { ...ANYTHING, weights: change(weights), people, strangeness: 0, asking: 0.5 };
}

/** Mostly close behind each other, so that things meet. */
export function drawGap(random: Random): number {
  return random.chance(0.6) ? random.next() * 150 : random.next() * LONGEST_GAP_MS;
}

function change(weights: Partial<Record<EventKind, number>>): ReadonlyMap<EventKind, number> {
  return new Map([...WEIGHTS].map(([kind, weight]) => [kind, weights[kind] ?? weight]));
}
