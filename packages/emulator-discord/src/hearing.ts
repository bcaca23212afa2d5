import { type HearingSource, type Matcher as KitMatcher, Hearing as ListeningPerson } from "@banyan/emulator-kit";
import { EmulatorError } from "./ports/error.ts";
import { formatTranscript } from "./records/transcript.ts";
import { type ChatEvent, type ChatMessage, isWritten } from "./world/message-log.ts";

export type { HearOptions } from "@banyan/emulator-kit";
export type Matcher = KitMatcher<ChatEvent>;

/** What one person has heard of the bots in one chat, and waits to hear. */
export class Hearing extends ListeningPerson<ChatEvent, ChatMessage> {
  constructor(source: HearingSource<ChatEvent, ChatMessage>) {
    super(source, {
      isOfBot: ({ isBot, message }) => isBot && isWritten(message),
      toEvent: ({ messageId, text, message }, heard) => ({ ...heard, messageId, text, message }),
      formatTranscript,
      fail: (code, text) => new EmulatorError(code, text),
    });
  }
}
