/** Where something dies: at the `hit`-th pass (counted from 1) of a named fault point. */
export interface KillPlan {
  readonly point: string;
  readonly hit: number;
  /** Default: the process. A thread can end alone only at a point of the store's threads. */
  readonly dies?: "process" | "thread";
}

/** The fault point of a plan: nothing behind it runs in the thread, or in any thread of the process. */
export function createKillPoint(
  plan: KillPlan | undefined,
  mayDie: () => boolean = () => true,
): (name: string) => void {
  let passes = 0;
  return (name) => {
    if (name !== plan?.point) return;
    passes += 1;
    if (passes !== plan.hit || !mayDie()) return;
    // In a worker it ends that thread alone.
    if (plan.dies === "thread") process.exit(1);
    process.kill(process.pid, "SIGKILL");
    // The signal arrives when it arrives; until then this thread must not go on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}
