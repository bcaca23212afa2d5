import { type Config, createLog, openLogFile, type SecretScrubber } from "@banyan/core";
import type { Log } from "@banyan/plugin-sdk";

export interface GatewayLogOptions {
  readonly scrubber: SecretScrubber;
  /** Takes one log line. Default: standard error. */
  readonly writeLog?: ((line: string) => void) | undefined;
  readonly isTerminal: boolean;
}

/** A gateway's log: shown as it runs, and kept in its state directory. */
export interface GatewayLog {
  readonly log: Log;
  /** For who reads the log later; the terminal is not told. */
  note(fields: object, message: string): void;
  /** The state directory is known to be usable: what keeps the log from being kept there is told from now on. */
  tellTrouble(): void;
  /** Resolves when all lines are written. Repeatable. */
  close(): Promise<void>;
}

/** Opens the log that the configuration asks for. A log that cannot be kept is no reason not to start. */
export function openGatewayLog({ log: config, stateDir }: Config, options: GatewayLogOptions): GatewayLog {
  const { scrubber, writeLog, isTerminal } = options;
  const pretty = config.pretty === "auto" ? isTerminal : config.pretty;
  const write = writeLog === undefined ? {} : { write: writeLog };
  const show = createLog({ level: config.level, pretty, scrubber, ...write });
  let isTold = false;
  let trouble: unknown;
  const warn = () => show.warn({ err: trouble }, "the log is shown and not kept");
  const onError = (error: unknown) => {
    trouble = error;
    if (isTold) warn();
  };
  const isKept = config.file && config.level !== "silent";
  const file = isKept ? openLogFile(stateDir, { onError }) : undefined;
  let closed: Promise<void> | undefined;
  return {
    log:
      file === undefined
        ? show
        : createLog({ level: config.level, pretty, scrubber, ...write, keep: (line) => file.write(line) }),
    note: (fields, message) =>
      file?.write(scrubber.scrub(JSON.stringify({ level: 30, time: Date.now(), ...fields, msg: message }))),
    tellTrouble() {
      isTold = true;
      if (trouble !== undefined) warn();
    },
    close() {
      closed ??= file?.close() ?? Promise.resolve();
      return closed;
    },
  };
}
