import type { Requester } from "@banyan/plugin-sdk";
import { buildRequester } from "../../../bindings/requester.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 2: the channel, account, chat and thread that it is asked in; the reservation freezes them as the run's route. */
export function resolveRequester({ facts }: Pick<SpawnCase, "facts">): Requester {
  return buildRequester(facts.requester.address);
}

/** There is nobody to spawn for. */
export function refuseGone(): SpawnRefusal {
  return refuseSpawn("error", "requester_gone", "the session that asks is gone; end your turn");
}
