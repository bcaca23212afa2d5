import type { Command } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

const LISTED_LINES = 50;

export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("what agents' tools did or were refused, and what was decided by hand")
    .option("--limit <count>", "how many, the newest", parseCount, LISTED_LINES)
    .option("--agent <id>", "only what this agent did")
    .option("--session <key>", "only calls of tools in this conversation")
    .option("--tool <name>", "only calls of this tool")
    .option("--refused", "only calls that were refused")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan audit", "who ran, wrote, approved or moved what"],
        ["banyan audit --refused --limit 1000", "what agents tried"],
        ["banyan audit --tool exec --json | jq '.[].detail.args'", "which programs they ran"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/audit.ts")).audit(command.optsWithGlobals()),
    );
}
