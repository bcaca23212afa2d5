import { countOf } from "../terminal/count-of.ts";

/** What a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

export interface RunningParts {
  /** Aborts when the program is told to end, or what it opened has failed. */
  readonly signal: AbortSignal;
  onFailure(error: Error): void;
}

/** What runs until it is told to end. */
export interface Running {
  stop(): Promise<void>;
  /** Turns of agents that a stop waits for. */
  countTurns(): number;
}

/**
 * Opens something and keeps it open until a signal or a failure ends it, also while it opens. A second signal does not
 * wait for what runs: the next start takes it up. Rejects with what failed; being told to end is no failure.
 */
export async function runUntilTold(open: (parts: RunningParts) => Promise<Running>): Promise<void> {
  let opened: Running | undefined;
  const told = new AbortController();
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (told.signal.aborted) process.exit(INTERRUPTED);
      told.abort();
      ended.abort(told.signal.reason);
      if (process.stdout.isTTY) process.stdout.write(`  ${formatStopping(opened?.countTurns() ?? 0)}\n`);
    });
  }
  // Timers do not keep the process alive; this does, until it is told to end.
  const awake = setInterval(() => undefined, 2 ** 30);
  try {
    opened = await open({ signal: ended.signal, onFailure: (error) => ended.abort(error) });
    await rejectOnAbort(ended.signal);
  } catch (error) {
    if (!told.signal.aborted || error !== told.signal.reason) throw error;
  } finally {
    clearInterval(awake);
    await opened?.stop();
  }
}

/** What a person at the terminal sees between the first Ctrl-C and the end. */
export function formatStopping(turns: number): string {
  return `${turns === 0 ? "Stopping" : `Finishing ${countOf(turns, "turn")}`}… Ctrl-C again to force quit.`;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
