import { Command, CommanderError } from "commander";
import { addChatCommand } from "./program/chat-command.ts";
import { formatExamples } from "./program/examples.ts";
import { addLinkCommands } from "./program/link-commands.ts";
import { addOutboxCommands } from "./program/outbox-commands.ts";
import { addPairCommands } from "./program/pair-commands.ts";
import { addSessionsCommands } from "./program/sessions-commands.ts";
import { addStartCommand } from "./program/start-command.ts";
import { addStatusCommand } from "./program/status-command.ts";
import { readVersion } from "./read-version.ts";
import { reportFailure } from "./report-failure.ts";
import { UsageError } from "./usage-error.ts";

/** Runs one command line. Resolves with the exit code: 0 done, 1 failed, 2 a usage error. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...argv]);
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (error) {
    // Commander has told what was wrong by itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    reportFailure(error);
    return error instanceof UsageError ? 2 : 1;
  }
}

function buildProgram(): Command {
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
    // Inherited by every command below.
    .exitOverride();
  program.commandsGroup("Run:");
  addStartCommand(program);
  addChatCommand(program);
  program.commandsGroup("Look and mend:");
  addStatusCommand(program);
  addSessionsCommands(program);
  addOutboxCommands(program);
  addPairCommands(program);
  addLinkCommands(program);
  return program;
}
