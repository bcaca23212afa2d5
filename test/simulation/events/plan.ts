import { AGENT_MOODS, type AgentMood } from "../agents/agent-mood.ts";
import { COMMIT_FAULTS, SEND_FAULTS } from "../world/fault-box.ts";
import { Random } from "../world/random.ts";
import { type AccountName, PEOPLE, STRANGERS } from "./person.ts";
import type { EventKind, WorldEvent } from "./world-event.ts";

const WEIGHTS: ReadonlyMap<EventKind, number> = new Map([
  ["says", 44],
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
  "shutdown",
] as const;
const COMMANDS = ["/new", "/new and #m", "/stop", "/stop", "/status", "/whoami"] as const;

const LONGEST_GAP_MS = 3_000;
const HOUR_MS = 60 * 60_000;

/** What happens in the world of a seed, before anything has happened: an event can be left out and the rest stays. */
export function drawPlan(seed: number, count: number): readonly WorldEvent[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => drawEvent(random));
}

function drawEvent(random: Random): WorldEvent {
  // Mostly close behind each other, so that things meet.
  const afterMs = random.chance(0.6) ? random.next() * 150 : random.next() * LONGEST_GAP_MS;
  const kind = random.weigh(WEIGHTS);
  switch (kind) {
    case "says":
      return { afterMs, kind, ...drawSaying(random) };
    case "burst":
      return { afterMs, kind, person: random.pick(PEOPLE), count: random.between(3, 8) };
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

function drawSaying(random: Random): Pick<Extract<WorldEvent, { kind: "says" }>, "person" | "text" | "mood"> {
  if (random.chance(0.05)) return { person: random.pick(STRANGERS), text: "let me in #m", mood: "echo" };
  const person = random.pick(PEOPLE);
  const mood = random.weigh(MOODS);
  return { person, mood, text: random.chance(0.18) ? random.pick(COMMANDS) : "hello #m" };
}

/** A chat that is gone stays gone, so that is drawn less often. */
function drawSendFault(random: Random): (typeof SEND_FAULTS)[number] {
  const fault = random.pick(SEND_FAULTS);
  return fault === "chat_gone" && random.chance(0.7) ? "lost_after" : fault;
}
