#!/usr/bin/env node
import { enablePrivateCompileCache } from "./compile-cache.js";

// Before anything else is imported: the next start finds every file compiled.
enablePrivateCompileCache();
// A report that an operator asks Node for shows no environment: tokens stand there.
process.report.excludeEnv = true;
process.stdout.on("error", endWithReader);
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);

/** Who reads a listing through `head` has seen enough: that is no failure. */
function endWithReader(error: Error): void {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  throw error;
}
