import type { Command } from "commander";
import { formatExamples } from "./examples.ts";

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("look at everything a gateway needs; each finding comes with its cure")
    .option("--values", "also list every setting with its source")
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      formatExamples([
        ["banyan doctor", "exit code 1 when something is wrong"],
        ["banyan doctor --values", "the effective configuration, without secrets"],
      ]),
    )
    .action(async (_options, command: Command) =>
      (await import("../commands/doctor.ts")).doctor(command.optsWithGlobals()),
    );
}
