import type { Command } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

/** Longer than an agent is silent while it works with tools; an answer that grows starts it again. */
const DEFAULT_PATIENCE_S = 600;

export function addChatCommand(program: Command): void {
  program
    .command("chat [text...]")
    .description("talk with the agent here: the same conversation as in the web chat")
    .option(
      "--patience <seconds>",
      "without a keyboard: end after this long without an answer",
      parseCount,
      DEFAULT_PATIENCE_S,
    )
    .addHelpText(
      "after",
      formatExamples([
        ["banyan chat", "with the running gateway, else with one for as long as the chat"],
        ['banyan chat "count words in docs"', "say it, print the answer and what its sub-agents bring, end"],
        ["banyan chat < questions.txt", "each line is a message; ends when all is answered"],
      ]),
    )
    .action(async (words: string[], _options, command: Command) =>
      (await import("../commands/chat.ts")).chat(words, command.optsWithGlobals()),
    );
}
