import type { TurnMessage } from "@banyan/plugin-sdk";

const SEVERAL_PEOPLE = /:(?:group|channel):/u;

/** Where several people write, each text begins with who wrote it. */
export function isAmongSeveral(sessionKey: string): boolean {
  return SEVERAL_PEOPLE.test(sessionKey);
}

/** What a model reads of one message: the text, and behind it what came along, set apart as data. */
export function formatTurnMessage(message: TurnMessage, isNamed: boolean): string {
  const { kind, text, sender, context = [] } = message;
  const spoken = kind === "message" && isNamed && sender !== undefined ? `${formatSender(sender)}: ${text}` : text;
  const data = context.map(
    ({ label, text: told }) =>
      `<data label=${JSON.stringify(label)}>\n${told.replaceAll("</data>", "<\\/data>")}\n</data>`,
  );
  return [spoken, ...data].join("\n\n");
}

/** On one line: people choose their names. */
export function formatSender({ id, displayName }: { readonly id: string; readonly displayName?: string }): string {
  return (displayName ?? id).replaceAll(/\s+/gu, " ");
}
