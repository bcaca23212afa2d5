import { COMMIT_FAULTS, SEND_FAULTS } from "../world/fault-box.ts";
import { Random } from "../world/random.ts";
import { drawText } from "./draw-text.ts";
import { GUILD_POINTS, MAGPIE_POINTS, POINTS, STEPS } from "./fault-place.ts";
import { drawGuildEvent } from "./guild-plan.ts";
import { MAGPIE_ACCOUNTS } from "./magpie-plan.ts";
import { type AccountName, PEOPLE } from "./person.ts";
import { drawGap, drawTheme, type Theme } from "./theme.ts";
import type { EventKind, WorldEvent } from "./world-event.ts";

const ACCOUNTS: readonly AccountName[] = ["pigeon/east", "pigeon/west", "raven/north"];
const GUILD_ACCOUNTS: readonly AccountName[] = ["discord/grove", "pigeon/east", "pigeon/west"];
const MAGPIE_WORLD_ACCOUNTS: readonly AccountName[] = [...MAGPIE_ACCOUNTS, ...MAGPIE_ACCOUNTS, "pigeon/east"];
/** Beyond the time for which a platform knows a key. */
const LONG_OUTAGE_MS = 150_000;
const HOUR_MS = 60 * 60_000;

/** What happens in the world of a seed, before anything has happened: an event can be left out and the rest stays. */
export function drawPlan(seed: number, count: number): readonly WorldEvent[] {
  const random = new Random(seed);
  const theme = drawTheme(random);
  return Array.from({ length: count }, () => drawEvent(random, theme));
}

/** What the world of a seed is mostly about. */
export function drawWorldTheme(seed: number): Theme {
  return drawTheme(new Random(seed));
}

function drawEvent(random: Random, theme: Theme): WorldEvent {
  const kind = random.weigh(theme.weights);
  const afterMs = drawGap(random, kind);
  switch (kind) {
    case "says":
      return { afterMs, kind, ...drawSaying(random, theme) };
    case "says_in_group":
      return {
        afterMs,
        kind,
        group: random.pick(theme.groups),
        person: random.pick(theme.people),
        ...drawGroupText(random, theme),
      };
    case "says_in_guild":
    case "touch_thread":
    case "gate_trouble":
    case "guild_outage":
    case "call_fault":
    case "lull":
      return { afterMs, ...drawGuildEvent(random, theme, kind) };
    case "edit":
      return { afterMs, kind, place: random.between(0, 1_000) };
    case "delete_of_bot":
      return { afterMs, kind, account: random.pick(MAGPIE_ACCOUNTS), place: random.between(0, 1_000) };
    case "settle_pairing":
      return { afterMs, kind, person: random.pick(theme.strangers), to: random.chance(0.7) ? "approve" : "deny" };
    case "kill_run":
      return { afterMs, kind, place: random.between(0, 1_000) };
    case "delete_session":
      return { afterMs, kind, place: random.between(0, 1_000), ofChild: random.chance(0.7) };
    case "reset":
      return { afterMs, kind, place: random.between(0, 1_000), ofChild: random.chance(0.3) };
    case "redeem":
    case "operator_link":
    case "operator_unlink":
    case "rekey":
      return { afterMs, ...drawIdentity(random, theme, kind) };
    case "migrate":
      return { afterMs, kind, group: random.pick(theme.groups), isTold: random.chance(0.6) };
    case "burst":
      return { afterMs, kind, person: random.pick(theme.people), count: random.between(3, 8) };
    case "repeat":
      return { afterMs, kind, place: random.between(0, 1_000) };
    default:
      return { afterMs, ...drawTrouble(random, theme, kind) };
  }
}

type TroubleKind =
  | "drop"
  | "lose_poll"
  | "send_fault"
  | "greeting_fault"
  | "commit_fault"
  | "point_fault"
  | "outage"
  | "full"
  | "jump"
  | "crash"
  | "pause"
  | "stop";

function drawTrouble(random: Random, { hasGuild, magpies }: Theme, kind: TroubleKind): EventOf<TroubleKind> {
  switch (kind) {
    case "drop":
      return { kind, how: random.pick(["resumes", "forgetful", "session_lost"]) };
    case "lose_poll":
      return { kind, account: random.pick(magpies === undefined ? ACCOUNTS : MAGPIE_ACCOUNTS) };
    case "send_fault":
      return {
        kind,
        account: random.pick(magpies === undefined ? ACCOUNTS : MAGPIE_WORLD_ACCOUNTS),
        fault: drawSendFault(random),
      };
    case "greeting_fault":
      return {
        kind,
        account: random.pick(hasGuild ? GUILD_ACCOUNTS : magpies === undefined ? ACCOUNTS : MAGPIE_WORLD_ACCOUNTS),
        fault: random.pick(["hangs", "odd_throw"]),
      };
    case "commit_fault":
      return { kind, step: random.pick(STEPS), fault: random.pick(COMMIT_FAULTS) };
    case "point_fault":
      return {
        kind,
        point: random.pick(hasGuild ? GUILD_POINTS : magpies === undefined ? POINTS : MAGPIE_POINTS),
        fault: random.chance(hasGuild ? 1 : 0.8) ? "crash" : "pause",
      };
    case "outage":
      return { kind, forMs: random.next() * (hasGuild ? LONG_OUTAGE_MS : 60_000) };
    case "full":
      return { kind, forMs: random.next() * 15_000 };
    case "jump":
      return { kind, byMs: (random.next() - 0.5) * 4 * HOUR_MS };
    case "crash":
    case "pause":
    case "stop":
      return { kind };
  }
}

function drawSaying(
  random: Random,
  theme: Theme,
): Pick<Extract<WorldEvent, { kind: "says" }>, "person" | "text" | "errand"> {
  if (random.chance(theme.strangeness))
    return { person: random.pick(theme.strangers), text: "let me in #m", errand: { mood: "echo" } };
  return { person: random.pick(theme.people), ...drawText(random, theme, 0.2) };
}

function drawGroupText(
  random: Random,
  theme: Theme,
): Pick<Extract<WorldEvent, { kind: "says_in_group" }>, "isAddressed" | "text" | "errand"> {
  return { isAddressed: random.chance(0.7), ...drawText(random, theme, 0.15) };
}

type IdentityKind = "redeem" | "operator_link" | "operator_unlink" | "rekey";

/** Who is whom changes, and conversations are moved, mostly within one family. */
function drawIdentity(random: Random, theme: Theme, kind: IdentityKind): EventOf<IdentityKind> {
  const family = random.chance(0.9) ? random.pick(theme.families) : PEOPLE;
  const person = random.pick(family);
  const of = random.pick(family.filter((other) => other !== person));
  switch (kind) {
    case "redeem":
      return { kind, person, of };
    case "operator_link":
      return { kind, people: random.chance(0.3) ? family.slice(0, 3) : [of, person] };
    case "operator_unlink":
      return { kind, person };
    case "rekey":
      return { kind, person, shelf: `shelf-${random.between(1, 3)}`, isBack: random.chance(0.3) };
  }
}

type EventOf<Kind extends EventKind> = Kind extends EventKind
  ? Omit<Extract<WorldEvent, { readonly kind: Kind }>, "afterMs">
  : never;

/** A chat that is gone stays gone, so that is drawn less often. */
function drawSendFault(random: Random): (typeof SEND_FAULTS)[number] {
  const fault = random.pick(SEND_FAULTS);
  return fault === "chat_gone" && random.chance(0.7) ? "lost_after" : fault;
}
