import { type HearingSource, type Matcher as KitMatcher, Hearing as ListeningPerson } from "@banyan/emulator-kit";
import type { ChatEvent, ChatMessage } from "./chats/message.ts";
import { EmulatorError } from "./ports/error.ts";
import { formatTranscript } from "./records/transcript.ts";

export type { HearOptions } from "@banyan/emulator-kit";
export type Matcher = KitMatcher<ChatEvent>;

/** What one person has heard of the bots in one chat, and waits to hear. */
export class Hearing extends ListeningPerson<ChatEvent, ChatMessage> {
  /** The source's name is also that of the writer of what is no bot's. */
  constructor(source: HearingSource<ChatEvent, ChatMessage>) {
    super(source, {
      isOfBot: ({ author }) => author === "bot",
      toEvent: ({ messageId, text, entities, versions }, heard) => {
        return { ...heard, messageId, text, entities, atMs: versions[0]?.atMs ?? heard.atMs };
      },
      formatTranscript: (messages) => formatTranscript(source.name, messages),
      fail: (code, text) => new EmulatorError(code, text),
    });
  }
}
