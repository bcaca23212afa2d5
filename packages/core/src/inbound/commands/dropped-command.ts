import type { Command } from "../../commands/command.ts";

/** Stands in for a command that was stored by a version that knew it. */
export function buildDroppedCommand(text: string): Command {
  const [name = ""] = text.trim().split(/\s/, 1);
  return {
    name,
    usage: name,
    summary: "not known any more",
    decide: () => ({ answer: `The command ${name} is not known any more. Send /help for those that are.` }),
  };
}
