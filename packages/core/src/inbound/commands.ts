/** The host's commands: found by the text that people type, and listed for channels that show them. */
import type { ChannelCommand } from "@banyan/plugin-sdk";
import type { Command, CommandFace } from "../commands/command.ts";
import { findNearestWord } from "../config/problems/nearest-word.ts";

export interface ParsedCommand {
  readonly command: Command;
  /** It is one of the host's commands. Else `command` answers with the most similar one. */
  readonly isKnown: boolean;
  /** The text after the name, trimmed. */
  readonly rest: string;
}

/** `/name`, then the end or whitespace: neither the path `/etc/hosts` nor another bot's `/name@bot` is a command. */
const FORM = /^\/([a-z][a-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/i;

export class CommandRegistry {
  /** In the order in which they are shown. */
  readonly list: readonly Command[];
  readonly #byName: ReadonlyMap<string, Command>;

  constructor(list: readonly Command[]) {
    this.list = list;
    // Reversed, so that the first of two commands with the same name is found.
    const named = list
      .toReversed()
      .flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const));
    this.#byName = new Map(named);
  }

  /** Parses a typed command. `undefined` for a text of any other form, which is for the agent. */
  parse(text: string): ParsedCommand | undefined {
    const [, typed, after = ""] = FORM.exec(text.trim()) ?? [];
    if (typed === undefined) return undefined;
    const name = typed.toLowerCase();
    const rest = after.trim();
    const command = this.#byName.get(name);
    if (command !== undefined) return { command, isKnown: true, rest };
    return { command: buildUnknownCommand(name, rest), isKnown: false, rest };
  }

  /** Parses a stored command. */
  parseStored(text: string): ParsedCommand {
    const parsed = this.parse(text);
    return parsed ?? { command: buildUnknownCommand(text.trim().slice(1), ""), isKnown: false, rest: "" };
  }
}

/** Answers a command that does not exist, or no longer, with the most similar one. */
function buildUnknownCommand(name: string, rest: string): Command {
  return {
    name,
    usage: `/${name}`,
    summary: "not a command",
    decide({ commands }) {
      const known = commands.flatMap(({ name: own, aliases = [] }) => [own, ...aliases]);
      const nearest = findNearestWord(name, known);
      const hint = nearest === undefined ? "" : ` Did you mean \`/${nearest}\`?`;
      // Such as `/tmp is full`.
      const way = rest === "" ? "" : " To send this to the agent, start with a word instead of the slash.";
      return { answer: `Unknown command \`/${name}\`.${hint} \`/help\` lists all commands.${way}` };
    },
  };
}

/** Lists the commands as a channel offers them before anything is typed, without their aliases. */
export function listChannelCommands(commands: readonly CommandFace[]): readonly ChannelCommand[] {
  return commands.map(({ name, summary, isDmOnly = false, parameters }) => {
    const german = GERMAN[name];
    return {
      name,
      summary,
      isDmOnly,
      ...(german === undefined ? {} : { summaries: { de: german } }),
      ...(parameters === undefined ? {} : { parameters }),
    };
  });
}

/** Summaries for platforms that show commands in the language of the app. */
const GERMAN: Readonly<Record<string, string>> = {
  help: "was ich hier kann",
  status: "dieses Gespräch: Agent, Zustand, Umfang",
  new: "ein neues Gespräch beginnen (auch /reset); Text wird dessen erste Nachricht",
  stop: "die Antwort anhalten, die gerade entsteht",
  whoami: "deine Kennung hier und das Gespräch, in dem du bist",
  link: "ein Gespräch über mehrere Kanäle führen",
  unlink: "dieses Konto wieder für sich",
  answer: "antworten, wenn ein Agent etwas fragt, etwa allow oder deny",
  queue: "was hier wartet, und was eine Nachricht tut, während ich arbeite",
  spawn: "einem Unteragenten eine Aufgabe geben",
  tree: "die Unteragenten dieses Gesprächs und wie es um sie steht",
  subagents: "die Unteragenten dieses Gesprächs sehen und lenken",
  kill: "einen Unteragenten und alle unter ihm anhalten",
  retry: "noch einmal senden, was von einem Ergebnis nicht ankam",
  agents: "wer hier antwortet und wem man Aufgaben geben kann",
  focus: "hier mit einem Unteragenten reden; /unfocus führt zurück",
  unfocus: "hier wieder mit dem Agenten reden",
  session: "wie lange ein Unteragent dieses Gespräch behält",
};
