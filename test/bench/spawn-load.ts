import { type ChatDoor, ChatLine } from "./chat-line.ts";

/** Of the folder that a spawning load runs in: limits that it does not reach. Children of `held` take their time. */
export const SPAWN_CONFIG: object = {
  agents: {
    main: { runtime: "echo", default: true, subagents: { maxChildrenPerAgent: 100, allowAgents: ["held"] } },
    held: { runtime: "held" },
  },
  limits: { maxConcurrent: 1_000, maxTreeRuns: 1_000 },
};

/** `count` people of one kind at the web chat. */
export async function openLines(door: ChatDoor, name: string, count: number): Promise<readonly ChatLine[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => ChatLine.open(`${name}-${n + 1}`, door)));
}

/** What a spawning load has come to, in milliseconds. */
export interface SpawnTimes {
  /** From the first word to the last command's answer, and to the last completion. */
  readonly answeredMs: number;
  readonly completedMs: number;
  /** Of each spawn, ascending: from the command to its answer. */
  readonly answersMs: readonly number[];
}

/** Everybody spawns `each` children, one command behind the other without waiting for what they answer. */
export class SpawnLoad {
  readonly answered: Promise<void>;
  readonly completed: Promise<SpawnTimes>;

  /** `target`: options of `/spawn`, with a space behind. */
  constructor(lines: readonly ChatLine[], each: number, target = "") {
    const total = lines.length * each;
    const answered = Promise.withResolvers<void>();
    const completed = Promise.withResolvers<SpawnTimes>();
    const answersMs: number[] = [];
    let completions = 0;
    let answeredMs = 0;
    const begun = performance.now();
    for (const line of lines) {
      const saidAt: number[] = [];
      line.listen(({ kind, text }) => {
        if (kind === "command") {
          if (!text.startsWith("🌱")) answered.reject(new Error(`${line.peer} spawned and was answered: ${text}`));
          answersMs.push(performance.now() - (saidAt.shift() ?? begun));
          if (answersMs.length < total) return;
          answeredMs = performance.now() - begun;
          answered.resolve();
        } else {
          completions += 1;
          if (completions < total) return;
          const completedMs = performance.now() - begun;
          completed.resolve({ answeredMs, completedMs, answersMs: answersMs.toSorted((one, other) => one - other) });
        }
      });
      sayAll(line, each, target, saidAt).catch(answered.reject);
    }
    this.answered = answered.promise;
    // A refused spawn has no completion.
    this.completed = Promise.race([completed.promise, answered.promise.then(() => completed.promise)]);
  }
}

async function sayAll(line: ChatLine, each: number, target: string, saidAt: number[]): Promise<void> {
  for (let task = 1; task <= each; task += 1) {
    saidAt.push(performance.now());
    await line.says(`/spawn ${target}--label task-${task} count the trees of plot ${task}, and say how many are old`);
  }
}
