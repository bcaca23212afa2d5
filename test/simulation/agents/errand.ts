import type { AgentMood } from "./agent-mood.ts";

/** What `sessions_spawn` is asked beside the task. */
export interface ErrandTerms {
  readonly label?: string;
  readonly announce?: "parent" | "direct";
  readonly expectsCompletionMessage?: boolean;
  readonly runTimeoutSeconds?: number;
  readonly cleanup?: "delete" | "keep";
  readonly agentId?: string;
  readonly context?: "fork";
  /** It gets a thread, in which people talk with it. */
  readonly thread?: true;
  readonly mode?: "run" | "session";
}

/** What an agent does about one input: it gives errands to others, then takes it in its mood. */
export interface Errand {
  readonly mood: AgentMood;
  readonly terms?: ErrandTerms;
  readonly children?: readonly Errand[];
  /** What it does when one of the children is done. Without it, `echo`. */
  readonly wake?: Errand;
}

/**
 * The label of a message, of a task that came of it, or of what becomes of the ends of such tasks: `#m5`, `#m5/0/1`,
 * `#m5/0/w`. One that is asked for below `w` has no further `w`.
 */
export const LABEL: RegExp = /#m\d+(?:\/[\dw]+)*/;

/** What is to be done about what bears the label, by the errand of the message that all began with. */
export function findErrand(root: Errand | undefined, label: string): Errand {
  let errand = root;
  for (const step of label.split("/").slice(1)) errand = step === "w" ? errand?.wake : errand?.children?.[Number(step)];
  return errand ?? { mood: "echo" };
}

/** Under which label the end of a task is taken. */
export function labelWake(task: string): string {
  return `${task.slice(0, task.lastIndexOf("/"))}/w`;
}

/** In one line, for who reads of a broken seed. */
export function formatErrand({ mood, terms, children = [], wake }: Errand): string {
  const asked = terms === undefined ? "" : ` ${JSON.stringify(terms)}`;
  const below = children.length === 0 ? "" : ` [${children.map(formatErrand).join("; ")}]`;
  return `${mood}${asked}${below}${wake === undefined ? "" : `, then ${formatErrand(wake)}`}`;
}
