#!/usr/bin/env node
/** The emulator as a process: prints one JSON line when it listens, ends with its stdin or on SIGTERM. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { CONTROL_PATH } from "./control/control-api.ts";
import { createDiscordEmulator } from "./create-discord-emulator.ts";
import { API_PATH } from "./rest/rest-api.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    record: { type: "string" },
    limits: { type: "string" },
    "heartbeat-interval-ms": { type: "string" },
    "history-nonces": { type: "boolean" },
    "channel-nonces": { type: "boolean" },
  },
});
const flags = z
  .object({
    port: z.coerce.number().int().min(0).max(65535).default(0),
    record: z.enum(["calls", "counts"]).default("calls"),
    limits: z.enum(["off", "real"]).default("off"),
    "heartbeat-interval-ms": z.coerce.number().int().min(1).optional(),
    "history-nonces": z.boolean().default(false),
    "channel-nonces": z.boolean().default(false),
  })
  .parse(values);

const intervalMs = flags["heartbeat-interval-ms"];
const emulator = await createDiscordEmulator({
  port: flags.port,
  record: flags.record,
  limits: flags.limits,
  historyNonces: flags["history-nonces"],
  channelNonces: flags["channel-nonces"],
  ...(intervalMs !== undefined && { heartbeatIntervalMs: intervalMs }),
});
const end = (): void => {
  void emulator.close().finally(() => process.exit(0));
};
process.once("SIGTERM", end);
process.stdin.once("end", end).once("close", end).resume();
const controlUrl = emulator.url.slice(0, -API_PATH.length) + CONTROL_PATH;
console.log(JSON.stringify({ url: emulator.url, controlUrl }));
