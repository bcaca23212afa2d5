import type { SpawnAnswer } from "../spawn/spawn-draft.ts";
import type { SpawnRefusalCode } from "../spawn/spawn-refusal.ts";

type Refusal = Exclude<SpawnAnswer, { readonly status: "accepted" }>;

/** What a person can do about it, where that is something else than what an agent can: people have commands, no tools. */
const CURES = {
  agent_id_invalid: "`/agents` shows which there are; or leave `--agent` out",
  agent_id_required: "name one with `--agent ID`: `/agents` shows which there are",
  agent_unknown: "`/agents` shows which there are",
  mode_needs_thread: "add `--thread`, or use `--mode run`",
  depth_reached: "write the task here yourself, or `/unfocus` and spawn from there",
  children_reached: "wait until one is done (its result comes by itself), or `/kill` one",
  thread_unavailable: "omit `--thread`",
  tree_reached: "wait until some are done, or `/kill` one",
  requester_ended: "write it again",
  requester_gone: "write it again",
} as const satisfies Partial<Record<SpawnRefusalCode, string>>;

/** The sentence of a refusal, with the cure for a person. */
export function formatRefusalForPeople({ code, error }: Refusal): string {
  const cure = hasCure(code) ? CURES[code] : undefined;
  const end = error.lastIndexOf("; ");
  if (cure === undefined || end === -1) return error;
  return `${error.slice(0, end)}; ${cure}.`;
}

function hasCure(code: string): code is keyof typeof CURES {
  return Object.hasOwn(CURES, code);
}
