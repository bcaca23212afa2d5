import type { Command } from "commander";
import { formatExamples } from "./examples.ts";

export function addStatusCommand(program: Command): void {
  program
    .command("status")
    .description("show what runs, the state of each account, and what waits")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan status", "the gateway on this state directory, or what its database knows"],
        ["banyan status --json | jq .running", "for scripts: true or false"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/status.ts")).status(command.optsWithGlobals()),
    );
}
