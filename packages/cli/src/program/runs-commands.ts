import type { RunStatus } from "@banyan/core";
import { type Command, Option } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

const LISTED_RUNS = 50;
/** Named here, so that a command line is read before core is loaded; their type keeps them complete. */
const STATES: Readonly<Record<"unfinished" | RunStatus, true>> = {
  unfinished: true,
  reserved: true,
  accepted: true,
  running: true,
  waiting: true,
  done: true,
  failed: true,
  timeout: true,
  killed: true,
  interrupted: true,
  undone: true,
};

export function addRunsCommands(program: Command): void {
  const runs = program
    .command("runs")
    .description("what sub-agents work on, and what came of it")
    .addHelpText("after", formatExamples([["banyan runs tree --watch", "what works now, drawn as it goes on"]]));
  addListCommand(runs);
  runs
    .command("show <run>")
    .description("show a run: its times, its result and which chat got it")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan runs show 9f3a", "by the beginning of its id, four characters at least"],
        ["banyan runs show 'words 1/3'", "by its label or its task's name"],
        ["banyan runs show last", "the newest"],
      ]),
    )
    .action(async (given: string, _options, command: Command) =>
      (await import("../commands/runs-show.ts")).runsShow(given, command.optsWithGlobals()),
    );
  addTreeCommand(runs);
  runs
    .command("kill <run>")
    .description("stop a run and all runs below it; the chat that waits for it is notified")
    .option("--json", "one JSON document")
    .addHelpText("after", formatExamples([["banyan runs kill 9f3a", "the beginning of its id, or its label"]]))
    .action(async (given: string, _options, command: Command) =>
      (await import("../commands/runs-kill.ts")).runsKill(given, command.optsWithGlobals()),
    );
}

function addListCommand(runs: Command): void {
  runs
    .command("list")
    .description("the runs that were asked for last, the newest first")
    .option("--session <session>", "those that one session asked for")
    .addOption(new Option("--state <state>", "only these").choices(Object.keys(STATES)))
    .option("--limit <count>", "how many", parseCount, LISTED_RUNS)
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan runs list --state unfinished", "what is at work or waits for it"],
        ["banyan runs list --session telegram:dm:75", "a session by its key or the beginning of it"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/runs-list.ts")).runsList(command.optsWithGlobals()),
    );
}

function addTreeCommand(runs: Command): void {
  runs
    .command("tree [of]")
    .description("the sub-agents of a session, or below a run, as a tree; without either all that are at work")
    .option("--watch", "go on until nothing is at work, or Ctrl-C")
    .option("--json", "one JSON document; with --watch one line for each change")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan runs tree webchat:dm:operator", "of a session"],
        ["banyan runs tree 9f3a --watch", "of a run, as it goes on"],
      ]),
    )
    .action(async (given: string | undefined, _options, command: Command) =>
      (await import("../commands/runs-tree.ts")).runsTree(given, command.optsWithGlobals()),
    );
}
