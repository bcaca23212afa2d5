import type { Command } from "commander";
import { formatExamples } from "./examples.ts";

export function addBackupCommands(program: Command): void {
  const backup = program
    .command("backup")
    .description("copies of the database, made each hour and before an update of its schema")
    .addHelpText("after", formatExamples([["banyan backup list", "all of them"]]));
  backup
    .command("list")
    .description("the newest first")
    .option("--json", "one JSON document")
    .addHelpText("after", formatExamples([["banyan backup list --json | jq -r '.[0].name'", "the newest one's name"]]))
    .action(async (_options, command: Command) =>
      (await import("../commands/backup-list.ts")).backupList(command.optsWithGlobals()),
    );
  program
    .command("restore [backup]")
    .description("replace the database by a backup, while no gateway runs")
    .option("--yes", "do not ask before the newest backup replaces the present database")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      `\nThe backup is checked first. What it replaces is kept in the folder replaced/ of the state directory.\n${formatExamples(
        [
          ["banyan restore", "the newest backup, after a question"],
          ["banyan restore banyan-2026-11-22T18-00-00.000Z.db", "one of banyan backup list"],
          ["banyan restore /mnt/copies/banyan.db", "a copy from elsewhere"],
        ],
      )}`,
    )
    .action(async (given: string | undefined, _options, command: Command) =>
      (await import("../commands/restore.ts")).restore(given, command.optsWithGlobals()),
    );
}
