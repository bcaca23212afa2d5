/** A command as people type it: `/name` and the rest of the text. */
export interface ChatCommand {
  /** In lower case. */
  readonly name: string;
  /** Trimmed. */
  readonly rest: string;
  /** It is one of the host's commands. */
  readonly isKnown: boolean;
}

const FORM = /^\/([a-z][a-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/i;

/**
 * Parses the command in a text: a slash and one word of letters, digits, `_` and `-`, then the end or whitespace.
 * `undefined` for any other form, such as the path `/etc/hosts` or another bot's `/name@bot`: that text is for the
 * agent.
 */
export function parseChatCommand(text: string, names: ReadonlySet<string>): ChatCommand | undefined {
  const [, name, rest = ""] = FORM.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const folded = name.toLowerCase();
  return { name: folded, rest: rest.trim(), isKnown: names.has(folded) };
}
