/** How much of a text an error message repeats: enough to recognise an id, short enough for one log line. */
const QUOTED_LIMIT_CHARS = 80;

/** Says in an error message what was received instead of what was expected. Texts are quoted, objects only named. */
export function formatReceivedValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return formatText(value);
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return `the ${typeof value} ${String(value)}`;
}

function formatText(text: string): string {
  if (text.length <= QUOTED_LIMIT_CHARS) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, QUOTED_LIMIT_CHARS))} and ${text.length - QUOTED_LIMIT_CHARS} characters more`;
}
