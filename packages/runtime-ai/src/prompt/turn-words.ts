import type { TranscriptAttachment, TurnMessage } from "@banyan/plugin-sdk";
import { formatSpoken } from "@banyan/plugin-sdk/runtime";

const SEVERAL_PEOPLE = /:(?:group|channel):/u;

/** Where several people write, each text begins with who wrote it. */
export function isAmongSeveral(sessionKey: string): boolean {
  return SEVERAL_PEOPLE.test(sessionKey);
}

/** What a model reads of one message: the text, and behind it what came along, set apart as data. */
export function formatTurnMessage(message: TurnMessage, isNamed: boolean): string {
  const { kind, text, sender, context = [] } = message;
  const spoken = kind === "message" && isNamed && sender !== undefined ? formatSpoken(text, sender) : text;
  return [spoken, ...context.map((data) => formatData(data.label, data.text))].join("\n\n");
}

/** The files of an earlier message: what they are, and the ids by which a tool saves them. */
export function formatAttachments(attachments: readonly TranscriptAttachment[]): string {
  const lines = attachments.map(({ id, file: { name, mimeType } }) => {
    const type = mimeType === undefined ? "" : `, ${JSON.stringify(mimeType)}`;
    return `${name === undefined ? "a file" : JSON.stringify(name)}${type} [id ${id}]`;
  });
  return formatData("attachments", lines.join("\n"));
}

function formatData(label: string, text: string): string {
  return `<data label=${JSON.stringify(label)}>\n${text.replaceAll(DATA_MARK, "<\\")}\n</data>`;
}

/** Of a frame around data, however a model might still read it. */
const DATA_MARK = /<(?=\s*\/?\s*data\b)/giu;
