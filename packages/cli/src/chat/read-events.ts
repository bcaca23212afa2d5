import { type ChatEvent, parseChatEvent } from "./chat-event.ts";

/** More than this without an end is no event: the longest holds a message of 1 MiB, escaped. */
const LONGEST_EVENT_CHARS = 8 * 1024 * 1024;

/** Reads server-sent events from a response's body, until it ends. Lines that only keep the connection are skipped. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ChatEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > LONGEST_EVENT_CHARS) throw new Error("The gateway's events were read: one has no end");
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function parseBlock(block: string): ChatEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const data = fields.get("data");
  return data === undefined ? undefined : parseChatEvent(fields.get("event") ?? "message", data);
}
