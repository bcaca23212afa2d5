/** The bridge as a program: the Model Context Protocol on standard input and output, carried to the host's door. */
import { runBridge } from "./run-bridge.ts";

process.exitCode = await runBridge(process.stdin, process.stdout, process.env);
