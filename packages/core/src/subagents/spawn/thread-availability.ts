import type { Requester } from "@banyan/plugin-sdk";
import type { SpawnCase } from "./spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "./spawn-refusal.ts";

/** What can be known of stage 12 before anything is opened: whether there is anybody to ask for a thread. */
export function checkThreadAvailability(
  { request, facts }: SpawnCase,
  { channel }: Pick<Requester, "channel">,
): SpawnRefusal | undefined {
  if (request.thread !== true || facts.threads === "bound") return undefined;
  return facts.threads === "off"
    ? refuseThread("threads are switched off in the configuration")
    : refuseUnbound(channel);
}

/** Nobody binds threads there. */
export function refuseUnbound(channel: string): SpawnRefusal {
  return refuseThread(`${channel} has no threads`);
}

function refuseThread(wrong: string): SpawnRefusal {
  return refuseSpawn("error", "thread_unavailable", `${wrong}; use mode run without thread`);
}
