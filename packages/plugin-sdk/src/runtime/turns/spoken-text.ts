import { formatSpeaker } from "../../session/speaker.ts";
import type { TurnMessage } from "../agent-runtime.ts";

const HEAD = /^(?=\s*Message from ")/gimu;

/**
 * A text under a head that says whose it is, for chats in which several people write. They choose their names, so those stand
 * as JSON strings beside the id; a line of the text that looks like a head is set off, so that nobody speaks for another.
 */
export function formatSpoken(text: string, sender: NonNullable<TurnMessage["sender"]>): string {
  return `Message from ${formatSpeaker(sender)}:\n${text.replaceAll(HEAD, "\\")}`;
}
