import type { Log } from "@banyan/plugin-sdk";

/** One after the other; a part that fails to stop, such as a failed store, does not keep the others open. */
export async function stopInOrder(log: Log, parts: readonly (() => unknown)[]): Promise<void> {
  for (const stop of parts) {
    try {
      await stop();
    } catch (error) {
      log.error({ err: error }, "a part of the gateway did not stop in order");
    }
  }
}
