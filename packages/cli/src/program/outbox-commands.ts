import { type Command, Option } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

const LISTED_DELIVERIES = 100;
const STATES: readonly string[] = [
  "pending",
  "sending",
  "stuck",
  "unknown",
  "undeliverable",
  "sent",
  "sent_maybe_repeated",
];
const RETRIABLE_STATES: readonly string[] = ["pending", "stuck", "unknown", "undeliverable"];

export function addOutboxCommands(program: Command): void {
  const outbox = program
    .command("outbox")
    .description("messages on their way out")
    .addHelpText("after", formatExamples([["banyan outbox list", "what waits, and why"]]));
  outbox
    .command("list")
    .description("what is not settled; with --state what is")
    .addOption(new Option("--state <state>", "only these").choices([...STATES, "all"]))
    .option("--channel <id>", "of one channel")
    .option("--limit <count>", "how many", parseCount, LISTED_DELIVERIES)
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan outbox list", "all that waits, is under way or ended unclear"],
        ["banyan outbox list --state undeliverable --channel telegram", "what Telegram refused"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/outbox-list.ts")).outboxList(command.optsWithGlobals()),
    );
  addRetryCommand(outbox);
  outbox
    .command("drop <id>")
    .description("give up a message that is no longer wanted")
    .addHelpText("after", formatExamples([["banyan outbox drop 9f3a", "an id may be shortened"]]))
    .action(async (given: string, _options, command: Command) =>
      (await import("../commands/outbox-drop.ts")).outboxDrop(given, command.optsWithGlobals()),
    );
}

function addRetryCommand(outbox: Command): void {
  outbox
    .command("retry [id]")
    .description("send a message again now")
    .option("--all", "each that waits for a later time")
    .addOption(new Option("--state <state>", "with --all: those that ended so").choices(RETRIABLE_STATES))
    .addHelpText(
      "after",
      formatExamples([
        ["banyan outbox retry 9f3a", "an id may be shortened"],
        ["banyan outbox retry --all", "after the network or the token is fixed"],
        ["banyan outbox retry --all --state undeliverable", "what was given up, too"],
      ]),
    )
    .action(async (given: string | undefined, _options, command: Command) =>
      (await import("../commands/outbox-retry.ts")).outboxRetry(given, command.optsWithGlobals()),
    );
}
