import { addCompletionCommand } from "../../packages/cli/src/program/completion-command.ts";
import { buildProgram } from "../../packages/cli/src/program.ts";
import { formatTable } from "./generated-part.ts";

export type Command = ReturnType<typeof buildProgram>;

/** The table of all commands. */
export function buildCommandList(): string {
  return formatTable(
    ["command", ""],
    listCommands(buildWholeProgram())
      .filter((command) => command.commands.length === 0)
      .map((command) => [`[\`${formatName(command)}\`](#${formatAnchor(command)})`, command.description()]),
  );
}

/** A section for each command: its usage, its options and its examples. */
export function buildCommands(): string {
  return listCommands(buildWholeProgram()).map(formatCommand).join("\n\n");
}

export function buildWholeProgram(): Command {
  const program = buildProgram();
  addCompletionCommand(program);
  return program;
}

/** In the order of the help, each before its own subcommands. */
function listCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((sub) => [sub, ...listCommands(sub)]);
}

function formatCommand(command: Command): string {
  const { note, examples } = readHelpText(command);
  const level = command.parent?.parent === null || command.parent?.parent === undefined ? "##" : "###";
  return [
    `${level} ${formatName(command)}`,
    formatSentence(command.description()),
    ...(command.commands.length > 0 ? [] : [`\`${formatUsage(command)}\``]),
    ...formatOptions(command),
    ...(note === "" ? [] : [note]),
    ...(examples.length === 0 ? [] : [["```sh", ...examples, "```"].join("\n")]),
  ].join("\n\n");
}

/** `banyan runs list`. */
function formatName(command: Command): string {
  return command.parent === null ? command.name() : `${formatName(command.parent)} ${command.name()}`;
}

function formatAnchor(command: Command): string {
  return formatName(command).replaceAll(" ", "-");
}

/** `banyan runs show [options] <run>`. */
function formatUsage(command: Command): string {
  return command.createHelp().commandUsage(command);
}

function formatOptions(command: Command): readonly string[] {
  const help = command.createHelp();
  const rows = help
    .visibleOptions(command)
    .filter((option) => option.long !== "--help")
    .map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]);
  return rows.length === 0 ? [] : [formatTable(["option", ""], rows)];
}

/** What a command's help says below the options. */
function readHelpText(command: Command): { readonly note: string; readonly examples: readonly string[] } {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => void written.push(text) });
  command.outputHelp();
  const below = written.join("").slice(command.helpInformation().length);
  const [note = "", lines = ""] = below.split("\nExamples:\n");
  const examples = lines
    .split("\n")
    .map((line) => line.trim().replace(/(?<= {2})(?=\S)/, "# "))
    .filter((line) => line !== "");
  return { note: note.trim(), examples };
}

function formatSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
