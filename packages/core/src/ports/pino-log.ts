import { createRequire } from "node:module";
import type { Log } from "@banyan/plugin-sdk";
import type { SecretScrubber } from "./secret-scrubber.ts";

export interface LogOptions {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  /** One readable line per entry instead of JSON. */
  readonly pretty: boolean;
  readonly scrubber: SecretScrubber;
  /** Takes one line, without its line end. Default: standard error. */
  readonly write?: (line: string) => void;
  /** Takes the same line as JSON, whatever `pretty` says. */
  readonly keep?: (line: string) => void;
}

const LEVELS: readonly LogOptions["level"][] = ["debug", "info", "warn", "error", "silent"];
const LEVEL_NAMES: Readonly<Record<number, string>> = { 20: "debug", 30: "info", 40: "warn", 50: "error" };

/** Log lines by pino; every line passes the scrubber, whatever field a secret hides in. */
export function createLog(options: LogOptions): Log {
  let opened: Log | undefined;
  const open = () => {
    opened ??= openPino(options);
    return opened;
  };
  const lowest = LEVELS.indexOf(options.level);
  const write = (level: keyof Log) =>
    LEVELS.indexOf(level) < lowest
      ? () => undefined
      : (fields: object, message: string) => open()[level](fields, message);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** With the first line: a quiet start does without its modules. */
function openPino(options: LogOptions): Log {
  const { pino }: typeof import("pino") = createRequire(import.meta.url)("pino");
  const write = options.write ?? ((line: string) => process.stderr.write(`${line}\n`));
  const destination = {
    write(chunk: string) {
      // Scrubbed last: a number in which a secret was replaced is no JSON any more.
      const line = chunk.trimEnd();
      if (options.pretty) write(options.scrubber.scrub(formatLogLine(line)));
      if (options.pretty && options.keep === undefined) return;
      const scrubbed = options.scrubber.scrub(line);
      if (!options.pretty) write(scrubbed);
      options.keep?.(scrubbed);
    },
  };
  return pino({ level: options.level, base: null, timestamp: () => `,"time":${Date.now()}` }, destination);
}

/** A log line as people read it. Takes the JSON text of one entry; throws a `SyntaxError` for another text. */
export function formatLogLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line);
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${formatField(value)}`);
  return [clock, LEVEL_NAMES[Number(level)] ?? String(level), String(msg), ...rest].join("  ");
}

function formatField(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null && "message" in value) return String(value.message);
  return JSON.stringify(value);
}
