import type { Command } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

const LISTED_SESSIONS = 50;
const SHOWN_ENTRIES = 20;

export function addSessionsCommands(program: Command): void {
  const sessions = program
    .command("sessions")
    .description("the agents' conversations")
    .addHelpText("after", formatExamples([["banyan sessions list", "which there are"]]));
  sessions
    .command("list")
    .description("the sessions that changed last, the newest first")
    .option("--agent <id>", "of one agent")
    .option("--limit <count>", "how many", parseCount, LISTED_SESSIONS)
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan sessions list --agent coding", "of the agent coding"],
        ["banyan sessions list --json | jq '.[].key'", "for scripts"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/sessions-list.ts")).sessionsList(command.optsWithGlobals()),
    );
  sessions
    .command("show <session>")
    .description("a session's record and the end of its transcript")
    .option("--limit <count>", "how many entries", parseCount, SHOWN_ENTRIES)
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan sessions show agent:main:webchat:dm:operator", "by its key"],
        ["banyan sessions show telegram:dm:75", "by the beginning of its key, after the agent"],
        ["banyan sessions show 5f0c", "by the beginning of its id"],
      ]),
    )
    .action(async (given: string, _options, command: Command) =>
      (await import("../commands/sessions-show.ts")).sessionsShow(given, command.optsWithGlobals()),
    );
  addExportCommand(sessions);
  addRekeyCommand(sessions);
  addDeleteCommand(sessions);
}

function addDeleteCommand(sessions: Command): void {
  sessions
    .command("delete <session>")
    .description("put a conversation away, and stop what works for it")
    .option("-y, --yes", "without asking")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan sessions delete telegram:dm:75", "by the beginning of its key, after the agent"],
        ["banyan sessions delete agent:main:dm:alice --yes", "for scripts"],
      ]),
    )
    .action(async (given: string, _options, command: Command) =>
      (await import("../commands/sessions-delete.ts")).sessionsDelete(given, command.optsWithGlobals()),
    );
}

function addRekeyCommand(sessions: Command): void {
  sessions
    .command("rekey <old> <new>")
    .description("let a conversation go on under another key")
    .option("--accept-shared", "also where others will read what was written in it")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan sessions rekey agent:main:dm:alice agent:main:dm:alice-before", "out of everybody's way"],
        ["banyan sessions rekey agent:main:telegram:dm:7 agent:main:dm:alice", "to a person who was linked later"],
      ]),
    )
    .action(async (from: string, to: string, _options, command: Command) =>
      (await import("../commands/sessions-rekey.ts")).sessionsRekey(from, to, command.optsWithGlobals()),
    );
}

function addExportCommand(sessions: Command): void {
  sessions
    .command("export [session...]")
    .description("transcripts as JSON lines, as the readable layout has them")
    .option("--all", "every session")
    .option("--out <folder>", "one file a session into a folder; - is the standard output", "-")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan sessions export webchat:dm:operator | jq .role", "one to the standard output"],
        ["banyan sessions export --all --out backup", "each into a separate file"],
      ]),
    )
    .action(async (given: string[], _options, command: Command) =>
      (await import("../commands/sessions-export.ts")).sessionsExport(given, command.optsWithGlobals()),
    );
}
