import { inspect } from "node:util";

/**
 * From now on an error that nobody caught, such as one of a plugin, ends the process as ever, but is shown without
 * secrets: Node itself would print whatever stands in it.
 */
export function reportCrashes(scrub: (text: string) => string): void {
  process.on("uncaughtException", (error) => {
    process.stderr.write(
      scrub(`banyan: uncaught error; work in progress continues at the next start\n${inspect(error)}\n`),
    );
    process.exit(1);
  });
}
