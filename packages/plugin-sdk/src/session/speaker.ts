import type { TurnMessage } from "../runtime/agent-runtime.ts";

/** The name that somebody has chosen, as a JSON string, beside the id that nobody chooses. */
export function formatSpeaker({ id, displayName }: NonNullable<TurnMessage["sender"]>): string {
  return displayName === undefined ? JSON.stringify(id) : `${JSON.stringify(displayName)} (${id})`;
}
