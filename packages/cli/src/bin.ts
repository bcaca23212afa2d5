#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Before anything else is imported: the next start finds every file compiled.
enableCompileCache();
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);
