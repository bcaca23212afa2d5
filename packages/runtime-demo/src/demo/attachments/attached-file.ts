import type { TranscriptEntry, TurnMessage } from "@banyan/plugin-sdk";

/** A file that somebody sent, by the id with which it can be asked for. */
export interface AttachedFile {
  readonly id: string;
  /** As it is shown to people. */
  readonly name: string;
}

const LABEL = "attachments";
/** The core's lines: name, type and size, and the id at the end. */
const LINE = /^(.*?)(?:, [^,]*){0,2} \[id ([\d.]{1,20})\]$/u;

/** What came with a message. */
export function readAttachedFiles({ context = [] }: TurnMessage): readonly AttachedFile[] {
  const lines = context.filter(({ label }) => label === LABEL).flatMap(({ text }) => text.split("\n"));
  return lines.flatMap((line) => {
    const [, name, id] = LINE.exec(line) ?? [];
    return name === undefined || id === undefined ? [] : [{ id, name }];
  });
}

/** What came last with a message before this one. */
export function findLatestFiles(history: readonly TranscriptEntry[]): readonly AttachedFile[] {
  const { attachments = [] } = history.findLast((entry) => entry.attachments?.length) ?? {};
  return attachments.map(({ id, file }) => ({ id, name: file.name ?? "the file" }));
}
