import type { Clock } from "./clock.ts";

/** Tells those who wait that something changed; they look again themselves. */
export interface Signal {
  fire(): void;
  /** Resolves true as soon as `isReached` says so (asked now and after each change), false after `timeoutMs`. */
  until(isReached: () => boolean, timeoutMs: number): Promise<boolean>;
}

/** `patience` is real time also where the platform's clock is a test's: it bounds how long a test waits. */
export function createSignal(patience: Clock): Signal {
  const listeners = new Set<() => void>();
  return {
    fire() {
      if (listeners.size === 0) return;
      for (const listener of [...listeners]) listener();
    },
    until(isReached, timeoutMs) {
      if (isReached()) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (reached: boolean): void => {
          listeners.delete(listener);
          cancel();
          resolve(reached);
        };
        const listener = (): void => {
          if (isReached()) settle(true);
        };
        const cancel = patience.schedule(timeoutMs, () => settle(false));
        listeners.add(listener);
      });
    },
  };
}
