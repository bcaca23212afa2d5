/** What a runtime's side of a turn can be made of: events in order with one end, tool calls with ordinals, a stop that is felt. */
export type { LiveTurn, TurnProgram } from "./live-turn.ts";
export { createRunHandle, type LiveRun, type RunOptions } from "./run-handle.ts";
export { createSingleRunSession } from "./single-run-session.ts";
export { formatSpoken } from "./spoken-text.ts";
export { type TurnEnd, UNREAD_LIMIT_EVENTS } from "./turn-events.ts";
export { NO_IMAGES, readImages, type SeenImage, type SeenImages } from "./turn-images.ts";
export { TurnInterruption } from "./turn-interruption.ts";
