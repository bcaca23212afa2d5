import type { Command } from "commander";
import { BUILT_IN_CHANNELS } from "../gateway/built-in.ts";
import { formatExamples } from "./examples.ts";

export function addInitCommand(program: Command): void {
  const init = program
    .command("init")
    .description("write a configuration: asks on a terminal, or takes the flags below");
  for (const { channel } of BUILT_IN_CHANNELS.filter(({ isAlwaysOn }) => !isAlwaysOn)) {
    init.option(`--${channel}-token <token>`, `the ${channel} bot's token; kept in .env, not in the configuration`);
    init.option(`--${channel}-owner <id>`, `your own id on ${channel}: lets you in at once`);
  }
  init
    .option("--model-key <key>", "a key of OpenAI or Anthropic, or of the server below; kept in .env")
    .option("--model-url <address>", "an OpenAI-compatible server, such as http://127.0.0.1:11434/v1")
    .option("--model <name>", "the model's name there; otherwise the usual one, or the first that is listed")
    .option("-y, --yes", "ask nothing")
    .option("--force", "change a configuration that exists; its other keys and a copy are kept")
    .option("--no-check", "do not ask the platforms about the tokens")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan init", "asks for tokens and checks them live"],
        ["banyan init --telegram-token 123:ABC --telegram-owner 7550356539", "for a script"],
        ["banyan init --discord-token MTA3….Gh1x2y.abc…", "also prints the link that invites the bot"],
        ["banyan init --model-url http://127.0.0.1:11434/v1", "a model on this machine"],
        ["banyan init --yes", "the web chat alone, and what the environment has tokens for"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/init.ts")).init(command.optsWithGlobals()),
    );
}
