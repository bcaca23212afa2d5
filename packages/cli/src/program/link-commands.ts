import type { Command } from "commander";
import { formatExamples } from "./examples.ts";

export function addLinkCommands(program: Command): void {
  const link = program
    .command("link")
    .description("people with accounts on several channels")
    .addHelpText("after", formatExamples([["banyan link list", "who is whom"]]));
  link
    .command("list")
    .description("who is whom, and where it was said")
    .option("--json", "one JSON document")
    .action(async (_options, command: Command) =>
      (await import("../commands/link-list.ts")).linkList(command.optsWithGlobals()),
    );
  link
    .command("add <account...>")
    .description("make accounts one person, who has one conversation on all of them")
    .option("--name <name>", "the person's name (default: the one they have, else a new one)")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan link add --name alice telegram:7550356539 webchat:operator", "channel:id, two or more"],
      ]),
    )
    .action(async (accounts: string[], _options, command: Command) =>
      (await import("../commands/link-change.ts")).linkAdd(accounts, command.optsWithGlobals()),
    );
  link
    .command("remove <account>")
    .description("let an account be on its own again; conversations are kept")
    .option("--json", "one JSON document")
    .addHelpText("after", formatExamples([["banyan link remove telegram:7550356539", "channel:id"]]))
    .action(async (account: string, _options, command: Command) =>
      (await import("../commands/link-change.ts")).linkRemove(account, command.optsWithGlobals()),
    );
}
