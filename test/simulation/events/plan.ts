import type { Errand } from "../agents/errand.ts";
import { COMMIT_FAULTS, SEND_FAULTS } from "../world/fault-box.ts";
import { Random } from "../world/random.ts";
import { drawCommandedErrand, drawGivenErrand, drawOwnErrand } from "./draw-errand.ts";
import { type AccountName, PEOPLE } from "./person.ts";
import { drawGap, drawTheme, type Theme } from "./theme.ts";
import type { EventKind, WorldEvent } from "./world-event.ts";

const ACCOUNTS: readonly AccountName[] = ["pigeon/east", "pigeon/west", "raven/north"];
const STEPS = [
  "any",
  "receive",
  "claim",
  "tool_result",
  "commit_turn",
  "command",
  "attempt",
  "settle",
  "recover",
  "release",
  "settle_pairing",
  "set_links",
  "rekey",
  "migrate_chat",
  "reserve_run",
  "accept_run",
  "undo_run",
  "end_runs",
  "announce_run",
  "archive_run",
  "archive_session",
  "enqueue",
  "set_timers",
] as const;
/** Core's names of its fault points. */
const POINTS = [
  "inbound.parsed",
  "T0.before",
  "T0.after",
  "T2.before",
  "T2.after",
  "T2b.before",
  "T2b.after",
  "T3.before",
  "T3.after",
  "T5.before",
  "T5.after",
  "T6.before",
  "T6.after",
  "command.before",
  "command.after",
  "links.before",
  "links.after",
  "migrate.before",
  "migrate.after",
  "T1a.before",
  "T1a.after",
  "T1.before",
  "T1.after",
  "T4.before",
  "T4.after",
  "undo.before",
  "undo.after",
  "announce.before",
  "announce.after",
  "archive.before",
  "archive.after",
  "shutdown",
] as const;
/** Of those who have given errands. */
const DIRECTIONS = [
  "/new",
  "/new and #m",
  "/stop",
  "/kill last",
  "/kill all",
  "/kill 1",
  "/retry",
  "/tree",
  "/subagents list",
  "/subagents send 1 hello #m",
  "/agents",
] as const;
const COMMANDS = ["/new", "/new and #m", "/stop", "/stop", "/status", "/whoami", "/link", "/unlink"] as const;

const HOUR_MS = 60 * 60_000;

/** What happens in the world of a seed, before anything has happened: an event can be left out and the rest stays. */
export function drawPlan(seed: number, count: number): readonly WorldEvent[] {
  const random = new Random(seed);
  const theme = drawTheme(random);
  return Array.from({ length: count }, () => drawEvent(random, theme));
}

function drawEvent(random: Random, theme: Theme): WorldEvent {
  const afterMs = drawGap(random);
  const kind = random.weigh(theme.weights);
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
    case "edit":
      return { afterMs, kind, place: random.between(0, 1_000) };
    case "settle_pairing":
      return { afterMs, kind, person: random.pick(theme.strangers), to: random.chance(0.7) ? "approve" : "deny" };
    case "kill_run":
      return { afterMs, kind, place: random.between(0, 1_000) };
    case "delete_session":
      return { afterMs, kind, place: random.between(0, 1_000), ofChild: random.chance(0.7) };
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
    case "drop":
      return { afterMs, kind, how: random.pick(["resumes", "forgetful", "session_lost"]) };
    case "lose_poll":
      return { afterMs, kind, account: random.pick(ACCOUNTS) };
    case "send_fault":
      return { afterMs, kind, account: random.pick(ACCOUNTS), fault: drawSendFault(random) };
    case "greeting_fault":
      return { afterMs, kind, account: random.pick(ACCOUNTS), fault: random.pick(["hangs", "odd_throw"]) };
    case "commit_fault":
      return { afterMs, kind, step: random.pick(STEPS), fault: random.pick(COMMIT_FAULTS) };
    case "point_fault":
      return { afterMs, kind, point: random.pick(POINTS), fault: random.chance(0.8) ? "crash" : "pause" };
    case "outage":
      return { afterMs, kind, forMs: random.next() * 60_000 };
    case "full":
      return { afterMs, kind, forMs: random.next() * 15_000 };
    case "jump":
      return { afterMs, kind, byMs: (random.next() - 0.5) * 4 * HOUR_MS };
    case "crash":
    case "pause":
    case "stop":
      return { afterMs, kind };
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

function drawText(
  random: Random,
  { asking }: Theme,
  commanding: number,
): { readonly text: string; readonly errand: Errand } {
  if (random.chance(commanding)) {
    if (!random.chance(asking)) return { text: random.pick(COMMANDS), errand: drawOwnErrand(random) };
    if (random.chance(0.5)) return { text: random.pick(DIRECTIONS), errand: drawOwnErrand(random) };
    const option = random.pick(["", "", "--label twig ", "--agent scout ", "--agent keeper ", "--agent stray "]);
    return { text: `/spawn ${option}errand #m/0`, errand: drawCommandedErrand(random) };
  }
  return { text: "hello #m", errand: random.chance(asking) ? drawGivenErrand(random) : drawOwnErrand(random) };
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
