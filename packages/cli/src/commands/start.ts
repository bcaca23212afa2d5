import { openGateway } from "../gateway/open-gateway.ts";
import { formatStartLines } from "../gateway/start-lines.ts";
import type { GlobalOptions } from "../program.ts";

/** `banyan start`: opens the gateway, says what is on and where, and runs until a signal or a failed store ends it. */
export async function start(options: GlobalOptions): Promise<void> {
  const ended = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.resolve());
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
  } finally {
    clearInterval(awake);
    await open.gateway.stop();
  }
}
