import { type Command, Option } from "commander";
import { formatExamples } from "./examples.ts";
import { parseCount } from "./parse-count.ts";

const LISTED_PAIRINGS = 100;
const STATES: readonly string[] = ["pending", "approved", "denied", "all"];

export function addPairCommands(program: Command): void {
  const pair = program
    .command("pair")
    .description("strangers who ask to be let in")
    .addHelpText("after", formatExamples([["banyan pair list", "who asks, with the code that he was shown"]]));
  pair
    .command("list")
    .description("who asks; with --state also who is in")
    .addOption(new Option("--state <state>", "only these").choices(STATES).default("pending"))
    .option("--limit <count>", "how many", parseCount, LISTED_PAIRINGS)
    .option("--json", "one JSON document")
    .addHelpText("after", formatExamples([["banyan pair list --state approved", "everybody who was let in"]]))
    .action(async (_options, command: Command) =>
      (await import("../commands/pair-list.ts")).pairList(command.optsWithGlobals()),
    );
  addSettleCommand(pair, "approve", "let a stranger in; he gets a message", [
    ["banyan pair approve 7KQ2-MXPA", "the code that he was shown"],
    ["banyan pair approve telegram/default/7550356539", "by his id, also after the code was denied"],
  ]);
  addSettleCommand(pair, "deny", "reject or remove a user silently", [
    ["banyan pair deny 7KQ2-MXPA", "no code for him any more"],
    ["banyan pair deny telegram/default/7550356539", "who was in is out from now on"],
  ]);
}

function addSettleCommand(
  pair: Command,
  operation: "approve" | "deny",
  description: string,
  examples: readonly (readonly [string, string])[],
): void {
  pair
    .command(`${operation} <code>`)
    .description(description)
    .option("--json", "one JSON document")
    .addHelpText("after", formatExamples(examples))
    .action(async (target: string, _options, command: Command) =>
      (await import("../commands/pair-settle.ts")).pairSettle(operation, target, command.optsWithGlobals()),
    );
}
