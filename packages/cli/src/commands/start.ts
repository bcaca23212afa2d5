import { type OpenGateway, openGateway } from "../gateway/open-gateway.ts";
import { formatListeningLines, formatReadyLines } from "../gateway/start-lines.ts";
import type { GlobalOptions } from "../global-options.ts";
import { reportCrashes } from "../report-crashes.ts";

/** What a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * `banyan start`: opens the gateway, says what is on and where, and runs until a signal or a failed store ends it, also
 * while it opens. A second signal does not wait for what runs: the next start takes it up.
 */
export async function start(options: GlobalOptions): Promise<void> {
  const told = new AbortController();
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (told.signal.aborted) process.exit(INTERRUPTED);
      told.abort();
      ended.abort(told.signal.reason);
      if (process.stdout.isTTY) process.stdout.write("  Stopping; Ctrl-C again ends it at once.\n");
    });
  }
  // Timers do not keep the process alive; this does, until it is told to end.
  const awake = setInterval(() => undefined, 2 ** 30);
  let open: OpenGateway | undefined;
  try {
    open = await openGateway({
      configFile: options.config,
      cwd: process.cwd(),
      env: process.env,
      isTerminal: process.stderr.isTTY,
      onLoaded: reportCrashes,
      onFailure: (error) => ended.abort(error),
      onListening: (listening) => print(formatListeningLines(listening)),
      signal: ended.signal,
    });
    print(formatReadyLines(open));
    await rejectOnAbort(ended.signal);
  } catch (error) {
    // Being told to end is no failure.
    if (!told.signal.aborted || error !== told.signal.reason) throw error;
  } finally {
    clearInterval(awake);
    await open?.gateway.stop();
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
