import { AGENT_MOODS, type AgentMood } from "../agents/agent-mood.ts";
import { COMMIT_FAULTS, SEND_FAULTS } from "../world/fault-box.ts";
import { Random } from "../world/random.ts";
import { type AccountName, PEOPLE } from "./person.ts";
import { drawGap, drawTheme, type Theme } from "./theme.ts";
import type { EventKind, WorldEvent } from "./world-event.ts";

const MOODS: ReadonlyMap<AgentMood, number> = new Map([
  ...AGENT_MOODS.map((mood) => [mood, 3] as const),
  ["echo", 18],
  ["stream", 6],
  ["hang", 2],
  ["deaf", 1],
  ["flood", 0.01],
]);
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
  "shutdown",
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
        ...drawGroupText(random),
      };
    case "edit":
      return { afterMs, kind, place: random.between(0, 1_000) };
    case "settle_pairing":
      return { afterMs, kind, person: random.pick(theme.strangers), to: random.chance(0.7) ? "approve" : "deny" };
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
): Pick<Extract<WorldEvent, { kind: "says" }>, "person" | "text" | "mood"> {
  if (random.chance(theme.strangeness))
    return { person: random.pick(theme.strangers), text: "let me in #m", mood: "echo" };
  const person = random.pick(theme.people);
  const mood = random.weigh(MOODS);
  return { person, mood, text: random.chance(0.2) ? random.pick(COMMANDS) : "hello #m" };
}

function drawGroupText(
  random: Random,
): Pick<Extract<WorldEvent, { kind: "says_in_group" }>, "isAddressed" | "text" | "mood"> {
  const mood = random.weigh(MOODS);
  const text = random.chance(0.15) ? random.pick(COMMANDS) : "hello #m";
  return { isAddressed: random.chance(0.7), text, mood };
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
