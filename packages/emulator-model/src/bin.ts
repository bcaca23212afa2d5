#!/usr/bin/env node
/** The emulator as a process, which says what it was told: prints one JSON line when it listens, ends with its stdin. */
import { parseArgs } from "node:util";
import { createModelEmulator } from "./create-model-emulator.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
const emulator = await createModelEmulator({ port: Number(values.port) });
const end = (): void => {
  void emulator.close().finally(() => process.exit(0));
};
process.once("SIGTERM", end);
process.stdin.once("end", end).once("close", end).resume();
console.log(JSON.stringify({ url: emulator.url }));
