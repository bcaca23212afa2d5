import type { RunRow, StoreReads } from "@banyan/store";
import { parseRunBody } from "../../../runs/run-body.ts";
import type { PreparedSpawn, ReadySpawn, SpawnAnswer } from "../spawn-draft.ts";
import type { SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 19. */
export function buildAnswer({ draft, binding }: ReadySpawn): Extract<SpawnAnswer, { readonly status: "accepted" }> {
  const { runId, childSessionKey, body, notes } = draft.plan;
  return {
    status: "accepted",
    runId,
    childSessionKey,
    mode: body.mode,
    ...(binding === undefined ? {} : { thread: binding.address }),
    ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
  };
}

/** The end of a spawn of which nothing is open. */
export function answerRefusal({ status, code, error }: SpawnRefusal): PreparedSpawn {
  return { kind: "answered", answer: { status, code, error } };
}

/** For a run that an earlier attempt of the same call has spawned. */
export async function answerStanding(run: RunRow, read: Pick<StoreReads, "bindings">): Promise<PreparedSpawn> {
  const { runId, childSessionKey } = run;
  const { mode, bindingId } = parseRunBody(run.body);
  const bindings = bindingId === undefined ? [] : await read.bindings({ sessionKey: childSessionKey });
  const thread = bindings.find(({ id }) => id === bindingId)?.address;
  const answer = {
    status: "accepted",
    runId,
    childSessionKey,
    mode,
    ...(thread === undefined ? {} : { thread }),
  } as const;
  return { kind: "answered", answer, run };
}
