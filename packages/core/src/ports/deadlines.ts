import type { Clock } from "@banyan/plugin-sdk";

/** Time limits for many short waits of one kind, on one timer: a timer for each would cost more than the waits. */
export interface Deadlines {
  /** The promise, or a rejection with `onLate()` once the limit has passed (at most a quarter of it late). */
  within<T>(promise: Promise<T>, onLate: () => Error): Promise<T>;
}

interface Wait {
  readonly due: number;
  reject(): void;
}

export function createDeadlines(clock: Clock, limitMs: number): Deadlines {
  // All waits have the same length, so the set's order is the order in which they are due.
  const waits = new Set<Wait>();
  let isSweeping = false;
  const sweep = () => {
    isSweeping = false;
    const now = clock.monotonic();
    for (const wait of waits) {
      if (wait.due > now) break;
      waits.delete(wait);
      wait.reject();
    }
    arm();
  };
  const arm = () => {
    if (isSweeping || waits.size === 0) return;
    isSweeping = true;
    clock.schedule(limitMs / 4, sweep);
  };
  return {
    within(promise, onLate) {
      return new Promise((resolve, reject) => {
        const wait: Wait = { due: clock.monotonic() + limitMs, reject: () => reject(onLate()) };
        waits.add(wait);
        arm();
        promise.then(resolve, reject).finally(() => waits.delete(wait));
      });
    },
  };
}
