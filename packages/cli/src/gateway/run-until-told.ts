/** What a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

export interface RunningParts {
  /** Aborts when the program is told to end, or what it opened has failed. */
  readonly signal: AbortSignal;
  onFailure(error: Error): void;
}

/**
 * Opens something and keeps it open until a signal or a failure ends it, also while it opens. A second signal does not
 * wait for what runs: the next start takes it up. Rejects with what failed; being told to end is no failure.
 */
export async function runUntilTold(open: (parts: RunningParts) => Promise<{ stop(): Promise<void> }>): Promise<void> {
  const told = new AbortController();
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (told.signal.aborted) process.exit(INTERRUPTED);
      told.abort();
      ended.abort(told.signal.reason);
      if (process.stdout.isTTY) process.stdout.write("  Finishing the turns that run. Ctrl-C again to force quit.\n");
    });
  }
  // Timers do not keep the process alive; this does, until it is told to end.
  const awake = setInterval(() => undefined, 2 ** 30);
  let opened: { stop(): Promise<void> } | undefined;
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

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
