import type { HistoryMessage } from "@banyan/plugin-sdk";

/** What a stream of `GET /events` tells its reader. */
export type ChatEvent =
  /** A message now stands in the conversation, under the id that history gives it. May come twice. */
  | ({ readonly type: "message" } & HistoryMessage)
  /** An answer is being made; `text` is all of it so far. Any of these may be missing. */
  | { readonly type: "progress"; readonly turnId: string; readonly text: string }
  /** The turn ended; if it answered, a `message` follows. */
  | { readonly type: "progress_end"; readonly turnId: string };

const encoder: TextEncoder = new TextEncoder();

/** An event on the wire of server-sent events. JSON holds no line break, so one data line carries it. */
export function formatChatEvent({ type, ...data }: ChatEvent): Uint8Array {
  return encoder.encode(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A line that readers skip: it shows both ends that the connection lives. */
export function formatPing(): Uint8Array {
  return encoder.encode(":\n\n");
}
