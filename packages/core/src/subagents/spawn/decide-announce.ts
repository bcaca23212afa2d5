import type { AnnounceWay } from "../../runs/run-body.ts";
import type { SpawnCase } from "./spawn-case.ts";

export interface AnnounceDecision {
  readonly way: AnnounceWay;
  readonly notes: readonly string[];
}

/** Who tells of the result: an agent what it asked for, the host what a person asked for. */
export function decideAnnounce({ request, facts }: Pick<SpawnCase, "request" | "facts">): AnnounceDecision {
  if (facts.requester.depth > 0 && facts.source === "tool") {
    const note = "announces to its parent: a sub-agent's own children report inside its session.";
    return { way: "parent", notes: request.announce === "direct" ? [note] : [] };
  }
  return { way: request.announce ?? (facts.source === "command" ? "direct" : "parent"), notes: [] };
}
