import type { TurnMessage } from "@banyan/plugin-sdk";

const SEVERAL_PEOPLE = /:(?:group|channel):/u;

/** Where several people write, each text begins with who wrote it. */
export function isAmongSeveral(sessionKey: string): boolean {
  return SEVERAL_PEOPLE.test(sessionKey);
}

/** What a model reads of one message: the text, and behind it what came along, set apart as data. */
export function formatTurnMessage(message: TurnMessage, isNamed: boolean): string {
  const { kind, text, sender, context = [] } = message;
  const spoken = kind === "message" && isNamed && sender !== undefined ? formatSpoken(text, sender) : text;
  const data = context.map(
    ({ label, text: told }) => `<data label=${JSON.stringify(label)}>\n${told.replaceAll(DATA_MARK, "<\\")}\n</data>`,
  );
  return [spoken, ...data].join("\n\n");
}

/** Of a frame around data, however a model might still read it. */
const DATA_MARK = /<(?=\s*\/?\s*data\b)/giu;
const HEAD = /^(?=\s*Message from ")/gimu;

/**
 * A text under a head that says whose it is. People choose their names, so those stand as JSON strings beside the id; a line
 * of the text that looks like a head is set off, so that nobody speaks for another.
 */
export function formatSpoken(text: string, { id, displayName }: NonNullable<TurnMessage["sender"]>): string {
  const who = displayName === undefined ? JSON.stringify(id) : `${JSON.stringify(displayName)} (${id})`;
  return `Message from ${who}:\n${text.replaceAll(HEAD, "\\")}`;
}
