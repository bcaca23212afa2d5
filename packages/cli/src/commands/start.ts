import { openGateway } from "../gateway/open-gateway.ts";
import { formatStartLines } from "../gateway/start-lines.ts";
import type { GlobalOptions } from "../global-options.ts";

/** What a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * `banyan start`: opens the gateway, says what is on and where, and runs until a signal or a failed store ends it. A
 * second signal does not wait for what runs: the next start takes it up.
 */
export async function start(options: GlobalOptions): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(INTERRUPTED);
      isStopping = true;
      ended.resolve();
    });
  }
  const open = await openGateway({
    configFile: options.config,
    cwd: process.cwd(),
    env: process.env,
    isTerminal: process.stderr.isTTY,
    onFailure: (error) => ended.reject(error),
  });
  process.stdout.write(`${formatStartLines(open).join("\n")}\n`);
  // Timers do not keep the process alive; this does, until it is told to end.
  const awake = setInterval(() => undefined, 2 ** 30);
  try {
    await ended.promise;
    if (process.stdout.isTTY) process.stdout.write("  Stopping; Ctrl-C again ends it at once.\n");
  } finally {
    clearInterval(awake);
    await open.gateway.stop();
  }
}
