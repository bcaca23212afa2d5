/** An answer that is exactly this is silence: nothing goes to the chat. */
export const NO_REPLY = "NO_REPLY";
/** The same from a sub-agent about its own end: its requester gets the record, the chat is told nothing. */
const ANNOUNCE_SKIP = "ANNOUNCE_SKIP";

/** Whether an answer says something to people. */
export function isVisible(text: string): boolean {
  const said = text.trim();
  return said !== "" && said !== NO_REPLY && said !== ANNOUNCE_SKIP;
}

/** Whether what was said so far may yet become silence: nobody is shown it while it grows. */
export function maySayNothing(textSoFar: string): boolean {
  const said = textSoFar.trim();
  return NO_REPLY.startsWith(said) || ANNOUNCE_SKIP.startsWith(said);
}

export function isAnnounceSkip(text: string): boolean {
  return text.trim() === ANNOUNCE_SKIP;
}
