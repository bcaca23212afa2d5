import { z } from "zod";
import type { Grove } from "./grove.ts";

const Entry = z.looseObject({
  kind: z.string(),
  role: z.string(),
  stopReason: z.string().optional(),
  content: z.array(z.looseObject({ text: z.string().optional(), name: z.string().optional() })),
});

/** A transcript as lines of a play, the oldest first; of the session that stands under the key unless one is named. */
export async function readTranscript(grove: Grove, sessionKey: string, id?: string): Promise<readonly string[]> {
  return grove.read(async (read) => {
    const sessionId = id ?? (await read.session(sessionKey))?.sessionId;
    if (sessionId === undefined) return [];
    const rows = await read.entries({ sessionId, limit: 1_000 });
    return rows.map(({ body }) => formatLine(Entry.parse(JSON.parse(body))));
  });
}

function formatLine({ kind, role, stopReason, content }: z.infer<typeof Entry>): string {
  const who = kind === "message" ? role : kind;
  const mark = stopReason === undefined || stopReason === "done" ? "" : ` (${stopReason})`;
  return `${who}${mark}: ${content.map(({ name, text }) => [name, text].filter((part) => part !== undefined).join(" ")).join()}`;
}
