/** What Discord's apps make of a message's Markdown, as far as the tests of escaping need it. Stricter where it is not known. */

export interface ReadText {
  /** What is seen, where nothing was taken for a mark. */
  readonly shown: string;
  /** The kinds of marks that were found, in order. */
  readonly marks: readonly string[];
}

const LINE_RULES: readonly (readonly [kind: string, rule: RegExp])[] = [
  ["title", /^[ \t]*(?:#{1,3}|-#)[ \t]+\S/],
  ["list", /^[ \t]*(?:[-*]|\d+\.)(?:[ \t]|$)/m],
  ["quote", /^[ \t]*>(?:>>)?(?:[ \t]|$)/m],
];

const RULES: readonly (readonly [kind: string, rule: RegExp])[] = [
  ["escape", /^\\([^0-9A-Za-z\s])/],
  ["url", /^https?:\/\/[^\s<]+[^<.,:;"'\]\s]/],
  ["emoji", /^<a?:\w+:\d+>/],
  ["mention", /^<(?:@[!&]?|#)\d+>/],
  ["time", /^<t:\d+(?::[a-zA-Z])?>/],
  ["code", /^(`+)([\s\S]*?[^`])\1(?!`)/],
  ["link", /^\[((?:\\[\s\S]|[^\]\\])*)\]\((https?:[^\s)]+)\)/],
  ["strong", /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/],
  ["underline", /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/],
  ["emphasis", /^_(?:__|\\[\s\S]|[^\\_])+?_(?![0-9A-Za-z_])/],
  ["emphasis", /^\*(?=\S)(?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?\*(?!\*)/],
  ["strike", /^~~[\s\S]+?~~/],
  ["spoiler", /^\|\|[\s\S]+?\|\|/],
  ["everyone", /^@(?:everyone|here)/],
];

export function readDiscordText(text: string): ReadText {
  let shown = "";
  const marks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    if (at === 0 || text[at - 1] === "\n")
      marks.push(...LINE_RULES.filter(([, rule]) => rule.test(rest)).map(([kind]) => kind));
    const [kind, rule] = RULES.find(([, candidate]) => candidate.test(rest)) ?? ["text", /^[\s\S]/];
    const [whole = "", inner = ""] = rule.exec(rest) ?? [];
    shown += kind === "escape" ? inner : whole;
    if (!["escape", "url", "emoji", "text"].includes(kind)) marks.push(kind);
    at += whole.length;
  }
  return { shown, marks };
}
