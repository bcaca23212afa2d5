import type { Command } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

const LISTED_LINES = 50;

export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("what agents' tools did or were refused, and what was decided by hand")
    .option("--limit <count>", "how many, the newest", parseCount, LISTED_LINES)
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan audit", "who ran, wrote, approved or moved what"],
        ["banyan audit --json --limit 1000 | jq '.[] | select(.action == \"tool-refused\")'", "what agents tried"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/audit.ts")).audit(command.optsWithGlobals()),
    );
}
