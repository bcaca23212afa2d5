import { type Spot, THREAD_DEEDS } from "../platforms/discord/platform-town.ts";
import { CALL_FAULTS, CALLS, type CallFault } from "../world/fault-box.ts";
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
        ...drawText(random, theme, 0.25),
      };
    case "touch_thread":
      return { kind, place: random.between(0, 1_000), deed: random.pick(THREAD_DEEDS) };
    case "gate_trouble":
      return { kind, how: random.pick(["resumes", "forgetful", "session_lost", "session_lost", "reorders"]) };
    case "guild_outage":
      return { kind, forMs: random.next() ** 4 * LONGEST_OUTAGE_MS };
    case "call_fault":
      return { kind, call: random.pick(CALLS), fault: drawCallFault(random) };
    case "lull":
      return { kind };
  }
}

/** Where no platform is reached little else happens, so that is drawn less often. */
function drawCallFault(random: Random): CallFault {
  const fault = random.pick(CALL_FAULTS);
  return fault.startsWith("falls") && random.chance(0.5) ? "lost_after" : fault;
}

function drawSpot(random: Random): Spot {
  const lot = random.next();
  if (lot < 0.15) return "dm";
  if (lot < 0.2) return "cellar";
  return lot < 0.6 ? "grove" : random.between(0, 1_000);
}
