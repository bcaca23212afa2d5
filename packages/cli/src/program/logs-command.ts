import { type Command, Option } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

const SHOWN_LINES = 100;

export function addLogsCommand(program: Command): void {
  program
    .command("logs")
    .description("what the gateway wrote down, now or in an earlier run")
    .option("-n, --lines <count>", "how many of the last lines", parseCount, SHOWN_LINES)
    .option("-f, --follow", "and what comes from now on; Ctrl-C ends it")
    .addOption(new Option("--level <level>", "from this level on").choices(["debug", "info", "warn", "error"]))
    .option("--grep <text>", "only lines that hold this text")
    .option("--json", "the lines as they are kept, one JSON object each")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan logs --level warn", "what went wrong"],
        ["banyan logs -f --grep telegram/default", "one account, as it happens"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/logs.ts")).logs(command.optsWithGlobals()),
    );
}
