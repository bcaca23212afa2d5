import { formatPlainLine } from "../../ports/plain-text.ts";
import { listVisibleSessions } from "./list-visible-sessions.ts";
import type { VisibilityParts, VisibleSession } from "./read-visible-session.ts";

const MOST_NAMED = 5;

/** The session of that label among those that the caller may reach, itself left out; written as it is read. */
export async function findVisibleByLabel(
  callerKey: string,
  label: string,
  parts: VisibilityParts,
): Promise<VisibleSession | { readonly ambiguous: readonly string[] } | undefined> {
  const { sessions } = await listVisibleSessions(callerKey, parts);
  const called = sessions.filter(
    ({ record: { key, entry } }) => key !== callerKey && fold(entry.label ?? "") === fold(label),
  );
  if (called.length < 2) return called[0];
  return { ambiguous: called.slice(0, MOST_NAMED).map(({ record }) => record.key) };
}

function fold(text: string): string {
  return formatPlainLine(text).toLowerCase();
}
