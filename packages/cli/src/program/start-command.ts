import type { Command } from "commander";
import { formatExamples } from "./examples.ts";

export function addStartCommand(program: Command): void {
  program
    .command("start")
    .description("open the gateway: web chat, channels, agents; Ctrl-C stops it")
    .option("--new-store", "start empty where the store was lost; what is left of it is kept in replaced/")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan start", "the web chat, and each channel that has a token"],
        ["TELEGRAM_BOT_TOKEN=… banyan start", "with Telegram"],
        ["DISCORD_BOT_TOKEN=… banyan start", "with Discord"],
        ["BANYAN_PORT=9000 banyan start --config grove.config.ts", "another port, another configuration"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/start.ts")).start(command.optsWithGlobals()),
    );
}
