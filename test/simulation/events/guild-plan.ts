import { type Spot, THREAD_DEEDS } from "../platforms/discord/platform-town.ts";
import { CALL_FAULTS, CALLS } from "../world/fault-box.ts";
import type { Random } from "../world/random.ts";
import { drawText } from "./draw-text.ts";
import { GUILD_PEOPLE } from "./person.ts";
import type { Theme } from "./theme.ts";
import type { EventKind, WorldEvent } from "./world-event.ts";

type GuildEvent = Extract<
  WorldEvent,
  { kind: "says_in_guild" | "touch_thread" | "gate_trouble" | "guild_outage" | "call_fault" | "lull" }
>;
type Drawn<Kind extends EventKind> = Kind extends EventKind
  ? Omit<Extract<WorldEvent, { readonly kind: Kind }>, "afterMs">
  : never;

/** Each time it is answered in the same words. */
const SAME_WORDS = { text: "/agents", errand: { mood: "echo" } } as const;
/** Beyond the time for which the platform knows a key. */
const LONGEST_OUTAGE_MS = 4 * 60_000;

/** What happens on the platform with threads. */
export function drawGuildEvent(random: Random, theme: Theme, kind: GuildEvent["kind"]): Drawn<GuildEvent["kind"]> {
  switch (kind) {
    case "says_in_guild":
      return {
        kind,
        person: random.pick(GUILD_PEOPLE),
        spot: drawSpot(random),
        isAddressed: random.chance(0.8),
        ...(random.chance(0.15) ? SAME_WORDS : drawText(random, theme, 0.2)),
      };
    case "touch_thread":
      return { kind, place: random.between(0, 1_000), deed: random.pick(THREAD_DEEDS) };
    case "gate_trouble":
      return { kind, how: random.pick(["resumes", "forgetful", "session_lost", "session_lost", "reorders"]) };
    case "guild_outage":
      return { kind, forMs: random.next() ** 4 * LONGEST_OUTAGE_MS };
    case "call_fault":
      return { kind, ...drawCallFault(random) };
    case "lull":
      return { kind };
  }
}

/**
 * A platform that is out of reach from a send on keeps it unclear for longer than its key is known. Where it is, little else
 * happens, so no other call brings that about.
 */
function drawCallFault(random: Random): Pick<Extract<GuildEvent, { kind: "call_fault" }>, "call" | "fault"> {
  if (random.chance(0.08)) return { call: "send", fault: random.pick(["falls_before", "falls_before", "falls_after"]) };
  const fault = random.pick(CALL_FAULTS);
  return { call: random.pick(CALLS), fault: fault.startsWith("falls") ? "lost_after" : fault };
}

function drawSpot(random: Random): Spot {
  const lot = random.next();
  if (lot < 0.15) return "dm";
  if (lot < 0.2) return "cellar";
  return lot < 0.6 ? "grove" : random.between(0, 1_000);
}
