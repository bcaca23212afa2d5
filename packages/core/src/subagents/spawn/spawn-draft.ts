import type { ThreadBinding } from "@banyan/plugin-sdk";
import type { AcceptRun, RunRow } from "@banyan/store";
import type { SpawnWorld } from "./read-spawn-facts.ts";
import type { SpawnAsker } from "./spawn-asker.ts";
import type { SpawnPlan } from "./spawn-plan.ts";

/** A spawn on its way: who asks, and what is decided. */
export interface SpawnDraft {
  readonly asker: SpawnAsker;
  readonly world: SpawnWorld;
  readonly plan: SpawnPlan;
}

/** What a spawn answers. `accepted` also where an earlier attempt of the same call has spawned. */
export type SpawnAnswer =
  | {
      readonly status: "accepted";
      readonly runId: string;
      readonly childSessionKey: string;
      readonly mode: "run" | "session";
      /** The address of its own thread. */
      readonly thread?: string;
      /** What was asked and is done otherwise. */
      readonly note?: string;
    }
  | { readonly status: "error" | "forbidden"; readonly code: string; readonly error: string };

/** A spawn whose acceptance is ready to be written, by a step of its own or by a command's; else it is undone. */
export interface ReadySpawn {
  readonly kind: "ready";
  readonly draft: SpawnDraft;
  /** The reservation. */
  readonly run: RunRow;
  /** Its own thread, where it has one. */
  readonly binding: ThreadBinding | undefined;
  readonly accept: AcceptRun;
}

export type PreparedSpawn =
  | ReadySpawn
  /** Nothing is open. `run`: an earlier attempt of the same call has spawned it. */
  | { readonly kind: "answered"; readonly answer: SpawnAnswer; readonly run?: RunRow };
