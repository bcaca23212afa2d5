import { Command, CommanderError } from "commander";
import { loadEnvironmentFile } from "./gateway/environment-file.ts";
import type { GlobalOptions } from "./global-options.ts";
import { addAuditCommand } from "./program/audit-command.ts";
import { addBackupCommands } from "./program/backup-commands.ts";
import { addChatCommand } from "./program/chat-command.ts";
import { addCompletionCommand, asksForCompletion, loadCompletion } from "./program/completion-command.ts";
import { addDevCommand } from "./program/dev-command.ts";
import { addDoctorCommand } from "./program/doctor-command.ts";
import { formatExamples } from "./program/examples.ts";
import { addInitCommand } from "./program/init-command.ts";
import { addLinkCommands } from "./program/link-commands.ts";
import { addLogsCommand } from "./program/logs-command.ts";
import { addOutboxCommands } from "./program/outbox-commands.ts";
import { addPairCommands } from "./program/pair-commands.ts";
import { addRunsCommands } from "./program/runs-commands.ts";
import { addSessionsCommands } from "./program/sessions-commands.ts";
import { addStartCommand } from "./program/start-command.ts";
import { addStatusCommand } from "./program/status-command.ts";
import { prepareUserModules } from "./program/user-modules.ts";
import { readVersion } from "./read-version.ts";
import { reportFailure } from "./report-failure.ts";
import { UsageError } from "./usage-error.ts";

/** Runs one command line. Resolves with the exit code: 0 done, 1 failed, 2 a usage error. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  try {
    const program = buildProgram();
    if (asksForCompletion(argv)) await loadCompletion(program);
    else addCompletionCommand(program);
    await program.parseAsync([...argv]);
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (error) {
    // Commander has told what was wrong by itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    reportFailure(error);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Builds the program with all commands but `completion`, which is added when the command line is known. */
export function buildProgram(): Command {
  const program = new Command("banyan")
    .description("Banyan: a plugin-based channel framework for AI agents")
    .option("--config <file>", "the configuration (default: banyan.config.ts or .json here)")
    .version(readVersion(), "-V, --version", "the version")
    .showHelpAfterError("(--help shows what there is)")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan start", "then open the address it prints in a browser"],
        ["banyan chat", "the same conversation in the terminal"],
      ]),
    )
    .hook("preAction", (program) => {
      prepareUserModules();
      loadEnvironmentFile(program.opts<GlobalOptions>().config, process.cwd());
    })
    // Inherited by every command below.
    .exitOverride();
  program.commandsGroup("Run:");
  addInitCommand(program);
  addStartCommand(program);
  addDevCommand(program);
  addChatCommand(program);
  program.commandsGroup("Inspect and repair:");
  addStatusCommand(program);
  addDoctorCommand(program);
  addLogsCommand(program);
  addSessionsCommands(program);
  addRunsCommands(program);
  addOutboxCommands(program);
  addAuditCommand(program);
  addBackupCommands(program);
  addPairCommands(program);
  addLinkCommands(program);
  return program;
}
