import type { Command } from "commander";
import { formatExamples } from "./examples.ts";

export function addDevCommand(program: Command): void {
  program
    .command("dev")
    .description("open the gateway and web chat with an emulated Telegram and Discord; needs no token")
    .addHelpText("after", formatExamples([["banyan dev", "then open the dev page it prints in a browser"]]))
    .action(async (_options, command: Command) => (await import("../commands/dev.ts")).dev(command.optsWithGlobals()));
}
