import type { InboundMessage } from "@banyan/plugin-sdk";

/**
 * What people wrote or chose, without registered secrets: somebody pastes the bot's token into its chat. Ids and
 * addresses stay as they are: who talks, and where, must not hang on what a secret looks like.
 */
export function scrubMessage(message: InboundMessage, scrub: (text: string) => string): InboundMessage {
  const { sender, quote, attachments } = message;
  return {
    ...message,
    text: scrub(message.text),
    sender: sender.displayName === undefined ? sender : { ...sender, displayName: scrub(sender.displayName) },
    ...(quote?.text === undefined ? {} : { quote: { ...quote, text: scrub(quote.text) } }),
    ...(attachments === undefined
      ? {}
      : {
          attachments: attachments.map((file) =>
            file.name === undefined ? file : { ...file, name: scrub(file.name) },
          ),
        }),
  };
}
