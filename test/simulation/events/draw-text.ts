import type { Errand } from "../agents/errand.ts";
import type { Random } from "../world/random.ts";
import { drawCommandedErrand, drawGivenErrand, drawOwnErrand } from "./draw-errand.ts";
import type { Theme } from "./theme.ts";

/** Of those who have given errands. */
const DIRECTIONS = [
  "/new",
  "/new and #m",
  "/stop",
  "/kill last",
  "/kill all",
  "/kill 1",
  "/retry",
  "/tree",
  "/subagents list",
  "/subagents send 1 hello #m",
  "/agents",
] as const;
/** Where a conversation may be turned to a sub-agent. */
const GUILD_DIRECTIONS = [
  ...DIRECTIONS,
  "/focus 1",
  "/focus last",
  "/focus last",
  "/unfocus",
  "/unfocus",
  "/session idle 1m",
] as const;
const COMMANDS = ["/new", "/new and #m", "/stop", "/stop", "/status", "/whoami", "/link", "/unlink"] as const;

/** What somebody writes, and what comes of it. `commanding`: how much of it are commands. */
export function drawText(
  random: Random,
  { asking, threading, hasGuild }: Theme,
  commanding: number,
): { readonly text: string; readonly errand: Errand } {
  if (random.chance(commanding)) {
    if (!random.chance(asking)) return { text: random.pick(COMMANDS), errand: drawOwnErrand(random) };
    if (random.chance(0.5))
      return { text: random.pick(hasGuild ? GUILD_DIRECTIONS : DIRECTIONS), errand: drawOwnErrand(random) };
    const option = random.pick(["", "", "--label twig ", "--agent scout ", "--agent keeper ", "--agent stray "]);
    return { text: `/spawn ${option}errand #m/0`, errand: drawCommandedErrand(random) };
  }
  return {
    text: "hello #m",
    errand: random.chance(asking) ? drawGivenErrand(random, threading) : drawOwnErrand(random),
  };
}
