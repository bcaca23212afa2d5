import { Command, CommanderError } from "commander";
import { reportFailure } from "./report-failure.ts";

export interface GlobalOptions {
  readonly config?: string;
}

/** Runs one command line. Resolves with the exit code: 0 done, 1 failed, 2 a usage error. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = new Command("banyan")
    .description("Banyan: a plugin-based channel framework for AI agents")
    .option("--config <file>", "the configuration (default: banyan.config.ts or .json here)")
    .showHelpAfterError("(banyan --help shows what there is)")
    .exitOverride();
  program
    .command("start")
    .description("open the gateway: web chat, channels, agents; Ctrl-C stops it")
    .addHelpText(
      "after",
      "\nExamples:\n  banyan start\n  TELEGRAM_BOT_TOKEN=… banyan start\n  BANYAN_PORT=9000 banyan start --config grove.config.ts",
    )
    .action(async () => (await import("./commands/start.ts")).start(program.opts()));
  try {
    await program.parseAsync([...argv]);
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    reportFailure(error);
    return 1;
  }
}
