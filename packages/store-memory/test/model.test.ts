import type { Step, StepResult, Store } from "@banyan/plugin-sdk/store";
import {
  applyRandomStep,
  assertStoresAlike,
  createListedRandom,
  createModelState,
  createSeededRandom,
} from "@banyan/plugin-sdk/store/suite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../src/index.ts";

const clock = { now: () => Date.UTC(2030, 0, 1) };
const decisions = fc.array(fc.array(fc.nat({ max: 9_999 }), { maxLength: 40 }), { maxLength: 80, size: "max" });

describe("two stores that are sent the same steps", () => {
  it("answer alike and end alike", async () => {
    const property = fc.asyncProperty(decisions, async (steps) => {
      const stores = [createMemoryStore({ clock }), createMemoryStore({ clock })] as const;
      const state = createModelState();
      for (const numbers of steps) await applyRandomStep(createListedRandom(numbers), state, stores);
      await assertStoresAlike(state, stores);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it("are asked every kind of step and brought to every end that the contract knows", async () => {
    const ends = new Set<string>();
    const reference = createMemoryStore({ clock });
    const stores = [noteEnds(reference, ends), createMemoryStore({ clock })] as const;
    const state = createModelState();
    const random = createSeededRandom(14);
    for (let step = 0; step < 20_000; step += 1) await applyRandomStep(random, state, stores);
    await assertStoresAlike(state, stores);
    expect([...ends].sort()).toMatchInlineSnapshot(`
      [
        "accept_run already",
        "accept_run done",
        "accept_run fenced",
        "accept_run refused conflict",
        "accept_run refused ended",
        "accept_run refused no_session",
        "accept_run refused not_found",
        "accept_run refused wrong_state",
        "anchor already",
        "anchor done",
        "anchor fenced",
        "announce_run already",
        "announce_run done",
        "announce_run refused not_found",
        "announce_run refused wrong_state",
        "answer already",
        "answer done",
        "answer refused ended",
        "append_entries already",
        "append_entries done",
        "append_entries refused empty",
        "append_entries refused no_session",
        "archive_run already",
        "archive_run done",
        "archive_run refused busy",
        "archive_run refused not_found",
        "archive_run refused wrong_state",
        "archive_session already",
        "archive_session done",
        "archive_session refused busy",
        "archive_session refused not_found",
        "attempt already",
        "attempt done",
        "attempt refused conflict",
        "attempt refused not_found",
        "attempt refused wrong_state",
        "bind already",
        "bind done",
        "bind refused no_session",
        "claim done",
        "claim refused busy",
        "claim refused empty",
        "claim refused suspect",
        "command already",
        "command done",
        "command refused conflict",
        "command refused ended",
        "command refused no_session",
        "command refused not_found",
        "command refused stale_route",
        "command refused wrong_state",
        "commit_turn already",
        "commit_turn already run ended",
        "commit_turn already run waiting",
        "commit_turn done",
        "commit_turn done run ended",
        "commit_turn done run waiting",
        "commit_turn fenced",
        "commit_turn refused conflict",
        "commit_turn refused not_found",
        "commit_turn refused wrong_state",
        "drop_delivery already",
        "drop_delivery done",
        "drop_delivery refused not_found",
        "drop_delivery refused wrong_state",
        "end_runs already",
        "end_runs done",
        "end_runs fenced",
        "end_runs refused conflict",
        "enqueue already",
        "enqueue done",
        "enqueue fenced",
        "enqueue refused no_session",
        "migrate_chat already",
        "migrate_chat done",
        "migrate_chat refused conflict",
        "prune done",
        "receive done",
        "receive refused conflict",
        "receive refused no_session",
        "receive refused stale_route",
        "recover done",
        "rekey already",
        "rekey done",
        "rekey refused conflict",
        "rekey refused not_found",
        "rekey refused stale_route",
        "rekey refused wrong_state",
        "release already",
        "release done",
        "release fenced",
        "reserve_run already",
        "reserve_run done",
        "reserve_run fenced",
        "reserve_run refused children",
        "reserve_run refused conflict",
        "reserve_run refused ended",
        "reserve_run refused no_session",
        "reserve_run refused tree",
        "retry_delivery done",
        "retry_delivery refused not_found",
        "retry_delivery refused wrong_state",
        "set_links already",
        "set_links done",
        "set_links refused conflict",
        "set_links refused stale_route",
        "set_timers done",
        "settle already",
        "settle done",
        "settle fenced",
        "settle_pairing already",
        "settle_pairing done",
        "settle_pairing refused not_found",
        "settle_pairing refused stale_route",
        "suspicion done",
        "suspicion fenced",
        "tool_result already",
        "tool_result done",
        "tool_result fenced",
        "undo_run already",
        "undo_run done",
        "undo_run fenced",
        "undo_run refused not_found",
        "undo_run refused wrong_state",
        "write_session already",
        "write_session done",
        "write_session refused conflict",
      ]
    `);
  });
});

function noteEnds(store: Store, ends: Set<string>): Store {
  return {
    ...store,
    async commit<S extends Step>(step: S): Promise<StepResult<S>> {
      const result = await store.commit(step);
      const run = "run" in result && typeof result.run === "string" ? ` run ${result.run}` : "";
      ends.add(`${step.step} ${result.status}${"reason" in result ? ` ${result.reason}` : ""}${run}`);
      return result;
    },
  };
}
