import { buildWholeProgram, type Command } from "./commands.ts";

/** What `banyan` would refuse of these words before it does anything: the command, an option, too few or many values. */
export function findCommandFault(words: readonly string[]): string | undefined {
  const said: string[] = [];
  const output = { writeErr: (text: string) => void said.push(text) };
  let command = buildWholeProgram();
  let rest = [...words];
  command.configureOutput(output);
  try {
    for (;;) {
      const { operands, unknown } = command.parseOptions(rest);
      rest = [...operands, ...unknown];
      const [name = "", ...more] = rest;
      const below = findBelow(command, name);
      if (below === undefined) return findRestFault(command, operands, unknown);
      below.configureOutput(output);
      command = below;
      rest = more;
    }
  } catch (error) {
    return said.join("").split("\n")[0] || String(error);
  }
}

/** What is wrong with a command in a sentence, which may lack its values, or have placeholders. */
export function findMentionFault(words: readonly string[]): string | undefined {
  let command = buildWholeProgram();
  const path = words.filter((word) => !word.startsWith("-"));
  for (const name of path) {
    if (command.commands.length === 0) break;
    const below = findBelow(command, name);
    if (below === undefined) return `unknown command '${name}'`;
    command = below;
  }
  const known = [command, buildWholeProgram()].flatMap(({ options }) =>
    options.flatMap(({ short, long }) => [short, long]),
  );
  const unknown = words.filter((word) => word.startsWith("-") && word !== "--help" && !known.includes(word));
  return unknown.length === 0 ? undefined : `unknown option '${unknown.join(" ")}'`;
}

function findBelow(command: Command, name: string): Command | undefined {
  return command.commands.find((below) => below.name() === name);
}

function findRestFault(
  { commands, registeredArguments }: Command,
  operands: readonly string[],
  unknown: readonly string[],
): string | undefined {
  if (unknown.length > 0) return `unknown option '${unknown[0]}'`;
  if (commands.length > 0) return `unknown command '${operands[0] ?? ""}'`;
  const fewest = registeredArguments.filter(({ required }) => required).length;
  const isVariadic = registeredArguments.some(({ variadic }) => variadic);
  if (operands.length < fewest) return `missing argument '${registeredArguments[operands.length]?.name()}'`;
  return operands.length > registeredArguments.length && !isVariadic ? "too many arguments" : undefined;
}
