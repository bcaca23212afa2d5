import type { Command } from "commander";
import { formatExamples } from "./examples.ts";

const NAME = "completion";
const EXAMPLES = formatExamples([
  ['eval "$(banyan completion bash)"', "for this shell; put it into ~/.bashrc to keep it"],
  ["banyan completion fish > ~/.config/fish/completions/banyan.fish", "for fish"],
]);

/**
 * Whether a command line asks for completion: its script (`completion zsh`), or, from that script, what may stand next
 * (`complete -- …`). Only then is the library loaded.
 */
export function asksForCompletion(argv: readonly string[]): boolean {
  return argv[2] === NAME || argv[2] === "complete";
}

/** The command as `--help` of the program lists it. */
export function addCompletionCommand(program: Command): void {
  program
    .command(`${NAME} <shell>`)
    .description("print the script that completes commands in zsh, bash, fish or powershell")
    .addHelpText("after", EXAMPLES);
}

/** Lets the library answer: it reads the commands and options of the program as they stand. */
export async function loadCompletion(program: Command): Promise<void> {
  const { default: tab } = await import("@bomb.sh/tab/commander");
  tab(program, { completionCommandName: NAME });
  program.commands.find((command) => command.name() === NAME)?.addHelpText("after", EXAMPLES);
}
