import type { ToolResult } from "@banyan/plugin-sdk";
import type { Step } from "@banyan/store";
import type { CommitFault } from "@banyan/store-sqlite/inline";
import { aborted } from "../../turns/played-runtime.ts";
import { ADA, type Player, type TreeDesk } from "../tree-desk.ts";

export const BOB = "agent:main:irc:dm:bob";

/** What a session tool answers, its fields as a test needs them. */
export interface Told {
  readonly status: string;
  readonly error?: string;
  readonly isError: boolean;
  readonly runId?: string;
  readonly childSessionKey?: string;
  readonly sessionKey?: string;
  readonly reply?: string;
  readonly more?: number;
  readonly killed?: number;
  readonly nextBefore?: number;
  readonly sessions?: readonly { readonly sessionKey: string }[];
  readonly entries?: readonly { readonly seq: number; readonly kind: string; readonly text: string }[];
  readonly runs?: readonly object[];
  readonly agents?: readonly object[];
}

export function readTold(result: ToolResult): Told {
  try {
    return { ...JSON.parse(result.text), isError: result.isError };
  } catch {
    return { status: "failed", error: result.text, isError: result.isError };
  }
}

/** The person's agent calls a tool in a turn of its own. */
export async function ask(desk: TreeDesk, name: string, args: unknown, from = "ada"): Promise<Told> {
  const words = `ask number ${desk.turns.length}.`;
  let told: Told | undefined;
  desk.plays(new RegExp(`^${words}`), async ({ call }) => {
    told = readTold(await call(name, args));
    return "asked";
  });
  await desk.says(words, from);
  return told ?? { status: "unanswered", isError: true };
}

/** Ada's agent spawns one that does this; answers its session's key. */
export async function spawn(
  desk: TreeDesk,
  label: string,
  player: Player = () => `${label} done`,
  more: object = {},
): Promise<{ readonly runId: string; readonly key: string }> {
  desk.plays(new RegExp(`^work as ${label}`), player);
  const told = await ask(desk, "sessions_spawn", { task: `work as ${label}`, label, ...more });
  return { runId: String(told.runId), key: String(told.childSessionKey) };
}

/** Waits inside a turn until the test lets it go, or the turn is stopped. */
export function createGate(): { readonly player: Player; open(answer?: string): void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    player: ({ signal }) => Promise.race([promise, aborted(signal).then(() => "")]),
    open: (answer = "late") => resolve(answer),
  };
}

export { ADA };

/** A process that dies for good at a step: whatever it does afterwards is not written. */
export function dyingAt(isDeath: (step: Step, when: "before" | "after") => boolean): CommitFault {
  let isDead = false;
  return (step, when) => {
    isDead ||= isDeath(step, when);
    return isDead ? "closed" : "none";
  };
}
