import { formatLogLine, formatPlainLine, listLogFiles } from "@banyan/core";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { followLog } from "../logs/follow-log.ts";
import { type LogFilter, matchesFilter } from "../logs/log-filter.ts";
import { readLastLines } from "../logs/read-last-lines.ts";
import { writeLines } from "../terminal/write-out.ts";

export interface LogsOptions extends GlobalOptions, LogFilter {
  readonly lines: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** `banyan logs`: what the gateway on this state directory wrote down last, and with `--follow` what it writes from now. */
export async function logs(options: LogsOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const files = listLogFiles(config.stateDir);
  if (files.length === 0 && !options.follow) {
    const none = "No log: log.file is false in the configuration.";
    process.stderr.write(`banyan: ${config.log.file ? "No log yet. Run `banyan start`." : none}\n`);
    return;
  }
  const print = (lines: readonly string[]) => writeLines(lines.map((line) => formatLine(line, options.json ?? false)));
  const { lines, offset } = await readLastLines(files, options.lines, (line) => matchesFilter(line, options));
  await print(lines);
  if (!options.follow) return;
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  for await (const line of followLog(config.stateDir, offset, controller.signal)) {
    if (matchesFilter(line, options)) await print([line]);
  }
}

/** A line that a crash cut short is shown as it stands. */
function formatLine(line: string, asJson: boolean): string {
  if (asJson) return line;
  try {
    return formatPlainLine(formatLogLine(line));
  } catch (error) {
    if (error instanceof SyntaxError) return formatPlainLine(line);
    throw error;
  }
}
