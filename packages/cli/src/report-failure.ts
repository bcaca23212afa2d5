/** Tells a failure in one sentence; the stack only where BANYAN_LOG_LEVEL=debug asks for it. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`banyan: ${message}\n`);
  if (process.env.BANYAN_LOG_LEVEL === "debug" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
