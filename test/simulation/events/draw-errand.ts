import { AGENT_MOODS, type AgentMood } from "../agents/agent-mood.ts";
import type { Errand, ErrandTerms } from "../agents/errand.ts";
import type { Random } from "../world/random.ts";

const MOODS: ReadonlyMap<AgentMood, number> = new Map([
  ...AGENT_MOODS.map((mood) => [mood, 3] as const),
  ["echo", 18],
  ["stream", 6],
  ["hang", 2],
  ["deaf", 1],
  ["flood", 0.01],
]);
/** Of those who ask others first. */
const ASKING_MOODS: ReadonlyMap<AgentMood, number> = new Map([
  ["echo", 10],
  ["no_reply", 4],
  ["stream", 4],
  ["tool", 2],
  ["error", 1.5],
  ["throw", 0.7],
  ["hang", 0.7],
  ["yield", 2],
  ["send", 2],
  ["wait", 1],
  ["kill", 1],
]);
const CHILD_MOODS: ReadonlyMap<AgentMood, number> = new Map([
  ["echo", 14],
  ["stream", 6],
  ["tools", 2],
  ["long", 3],
  ["error", 2],
  ["throw", 1],
  ["hang", 1.5],
  ["deaf", 0.4],
  ["silent", 1.5],
  ["mute", 0.7],
  ["no_reply", 2],
  ["skip", 2],
  ["secret", 0.7],
  ["flood", 0.01],
]);
const WAKE_MOODS: ReadonlyMap<AgentMood, number> = new Map([
  ["echo", 8],
  ["long", 1],
  ["no_reply", 5],
  ["silent", 2],
  ["error", 2],
  ["throw", 1],
  ["mute", 0.7],
  ["skip", 0.7],
  ["tool", 1],
  ["hang", 0.5],
]);

/** How likely an agent asks others, by its depth; the deepest ones may not. */
const ASKING: readonly number[] = [1, 0.4, 0.3, 0.1];
const MOST_CHILDREN = 4;
/** So that one is asked below another, and not only below its like. */
const AGENT_IDS: readonly string[] = ["keeper", "keeper", "main", "scout", "scout", "stray"];

/** What comes of a message that no others are asked about. */
export function drawOwnErrand(random: Random): Errand {
  return { mood: random.weigh(MOODS) };
}

/** What comes of a message for which the agent asks others, and these others again. */
export function drawGivenErrand(random: Random, threading: number): Errand {
  return drawAsking(random, 0, random.weigh(ASKING_MOODS), threading);
}

/** What a person asks for by a command. */
export function drawCommandedErrand(random: Random): Errand {
  return { mood: "echo", children: [drawChild(random, 1, 0)] };
}

/** `threading`: how likely one that is asked is given a thread. */
function drawAsking(random: Random, depth: number, mood: AgentMood, threading: number): Errand {
  const count = random.chance(0.5) ? 1 : random.between(1, MOST_CHILDREN);
  const children = Array.from({ length: count }, () => drawChild(random, depth + 1, threading));
  return { mood, children, ...(random.chance(0.6) ? { wake: drawWake(random, depth, threading) } : {}) };
}

function drawChild(random: Random, depth: number, threading: number): Errand {
  const terms = drawTerms(random, threading);
  if (!random.chance(ASKING[depth] ?? 0)) return { mood: random.weigh(CHILD_MOODS), terms };
  return { ...drawAsking(random, depth, random.weigh(ASKING_MOODS), threading), terms };
}

function drawWake(random: Random, depth: number, threading: number): Errand {
  const mood = random.weigh(WAKE_MOODS);
  return random.chance(0.15) ? { mood, children: [drawChild(random, depth + 1, threading)] } : { mood };
}

function drawTerms(random: Random, threading: number): ErrandTerms {
  return {
    ...(random.chance(0.5) ? { label: `branch ${random.between(1, 9)}` } : {}),
    ...(random.chance(0.2) ? { announce: random.pick(["parent", "direct"]) } : {}),
    ...(random.chance(0.12) ? { expectsCompletionMessage: false } : {}),
    ...(random.chance(0.25) ? { runTimeoutSeconds: random.between(1, 12) } : {}),
    ...(random.chance(0.2) ? { cleanup: random.pick(["delete", "keep"]) } : {}),
    ...(random.chance(0.2) ? { agentId: random.pick(AGENT_IDS) } : {}),
    ...(random.chance(0.08) ? { context: "fork" } : {}),
    // Other worlds draw nothing more for it.
    ...(threading > 0 && random.chance(threading) ? { thread: true, ...drawMode(random) } : {}),
  };
}

function drawMode(random: Random): Pick<ErrandTerms, "mode"> {
  return random.chance(0.2) ? { mode: "run" } : {};
}
