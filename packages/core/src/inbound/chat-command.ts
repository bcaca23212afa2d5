/** A command of the host, as people type it: `/name rest of the line and more`. */
export interface ChatCommand {
  readonly name: string;
  /** Trimmed. */
  readonly rest: string;
}

const FORM = /^\/([a-z][a-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/i;

/** The command in a text; `undefined` for a name that is not the host's: that text is for the agent. */
export function parseChatCommand(text: string, names: ReadonlySet<string>): ChatCommand | undefined {
  const [, name, rest = ""] = FORM.exec(text.trim()) ?? [];
  const folded = name?.toLowerCase();
  return folded !== undefined && names.has(folded) ? { name: folded, rest: rest.trim() } : undefined;
}
