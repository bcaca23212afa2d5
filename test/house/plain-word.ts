export interface Refused {
  readonly pattern: RegExp;
  readonly better: string;
  /** Sentences that the pattern must find. */
  readonly found: readonly string[];
  /** Similar ones that it must leave alone. */
  readonly passed?: readonly string[];
}

/**
 * Words of a private dialect. Documents and messages are for people whose second language is English. Names in code that are
 * refused (`Seat`, `AS_MANY`) are not here: neither contains code that is ours.
 */
export const REFUSED: readonly Refused[] = [
  {
    pattern: /\btold\b|\btell(?:s|ing)? of\b/gi,
    better: "notified, informed, gets",
    found: ["The agent is told of it.", "It tells of a run."],
    passed: ["Tell us what happened."],
  },
  {
    pattern: /(?<!-)\b(?:stands?|stood|standing)\b(?! for\b)/gi,
    better: "exists, is stored, is in",
    found: ["It stands in the log.", "It stood there twice."],
    passed: ["`x` stands for a name.", "a long-standing problem", "easy to understand", "the standard library"],
  },
  {
    pattern: /\bthereafter\b|\bbehind\b(?! (?:a|the|your) (?:reverse )?proxy\b)/gi,
    better: "after",
    found: ["Behind a restart it continues.", "Thereafter it continues."],
    passed: ["The server runs behind a reverse proxy."],
  },
  {
    pattern: /\bbeside\b/gi,
    better: "concurrently, next to, in addition to",
    found: ["It runs beside all others."],
    passed: ["Besides, it works."],
  },
  { pattern: /\banew\b/gi, better: "again", found: ["It is read anew."] },
  { pattern: /\bput(?:s|ting)? away\b/gi, better: "archived", found: ["A session is put away."] },
  {
    pattern: /\b(?:gave|give[sn]?|giving|take[sn]?|took|taking) (?:(?:it|them|that|this|him|her) )?back\b/gi,
    better: "released, rolled back",
    found: ["The claim is given back.", "It takes back the thread."],
    passed: ["You can take its text back into the input box."],
  },
  { pattern: /\bfar(?:e|es|ed|ing)\b/gi, better: "progress, state", found: ["how the run fares"], passed: ["so far"] },
  {
    pattern: /\bhear(?:s|d|ing)?\b/gi,
    better: "receives, accepts; steered in (of a turn)",
    found: ["Other bots are heard.", "The bot hears it."],
  },
  {
    pattern: /\bsayings\b|\b(?:a|the|this|that) saying\b|\bspeech(?:es)?\b/gi,
    better: "messages, announcements",
    found: ["the sayings of a turn", "its speeches"],
    passed: ["Saying hello in a thread failed."],
  },
  {
    pattern: /\bmeanwhile\b/gi,
    better: "concurrently, during the turn, since then",
    found: ["What comes meanwhile waits."],
  },
  {
    pattern: /\b(?:whoever|nobody|somebody)\b/gi,
    better: "the caller, no one, another process, the person who …",
    found: ["whoever waits for it", "Nobody reads it.", "Somebody is asked."],
  },
  { pattern: /\bso long\b(?! as\b)/gi, better: "for this time", found: ["So long more is waited for."] },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, better: "fixed", found: ["The bug is mended."], passed: ["We recommend it."] },
  { pattern: /\bdear(?:er|est)?\b/gi, better: "expensive, slower", found: ["A commit is dearer."] },
  {
    pattern: /\blooked (?:for|through|over)\b/gi,
    better: "searched, scanned",
    found: ["The list is looked through."],
    passed: ["It is looked up."],
  },
  {
    pattern: /\bof (?:its|their|his|her|one[’']s) own\b/gi,
    better: "separate, its own …",
    found: ["a process of its own", "keys of their own"],
    passed: ["tools of your own", "its own folder"],
  },
];

/** `line "word": better` for each refused word of a text. */
export function listFindings(text: string): readonly string[] {
  return REFUSED.flatMap(({ pattern, better }) =>
    findAll(pattern, text).map((match) => {
      const line = text.slice(0, match.index).split("\n").length;
      return `${line} ${JSON.stringify(match[0])}: ${better}`;
    }),
  );
}

export function findAll(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(pattern)];
}
