#!/usr/bin/env node
/** The emulator as a process: prints one JSON line when it listens, ends with its stdin or on SIGTERM. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { CONTROL_PATH } from "./control/control-api.ts";
import { createTelegramEmulator } from "./create-telegram-emulator.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    record: { type: "string" },
    "strict-pacing": { type: "boolean" },
    local: { type: "boolean" },
  },
});
const flags = z
  .object({
    port: z.coerce.number().int().min(0).max(65535).default(0),
    record: z.enum(["calls", "counts"]).default("calls"),
    "strict-pacing": z.boolean().default(false),
    local: z.boolean().default(false),
  })
  .parse(values);

const emulator = await createTelegramEmulator({
  port: flags.port,
  record: flags.record,
  strictPacing: flags["strict-pacing"],
  local: flags.local,
});
const end = (): void => {
  void emulator.close().finally(() => process.exit(0));
};
process.once("SIGTERM", end);
process.stdin.once("end", end).once("close", end).resume();
console.log(JSON.stringify({ url: emulator.url, controlUrl: `${emulator.url}${CONTROL_PATH}` }));
