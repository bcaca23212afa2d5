/** Compares CPU time within one run: a slow machine slows both sides, and a busy one hardly counts. */

/** The least of several looks is taken: cold code and the collection of garbage only add. */
const LOOKS = 3;
/** Four ticks of a system that counts CPU time in ticks. A call that takes less is repeated. */
const SHORTEST_LOOK_US = 16_000;

/** How many times the CPU time of `reference` one call of `work` takes. Right to a factor of two. */
export function measureCpuRatio(work: () => unknown, reference: () => unknown): number {
  return measureCpuUs(work) / measureCpuUs(reference);
}

/** Of one call. The calls are doubled until they take long enough, which warms up too. */
function measureCpuUs(work: () => unknown): number {
  let calls = 1;
  let lookUs = look(work, calls);
  while (lookUs < SHORTEST_LOOK_US) {
    calls *= 2;
    lookUs = look(work, calls);
  }
  for (let looks = 1; looks < LOOKS; looks += 1) lookUs = Math.min(lookUs, look(work, calls));
  return lookUs / calls;
}

function look(work: () => unknown, calls: number): number {
  const begin = process.threadCpuUsage();
  for (let call = 0; call < calls; call += 1) work();
  const { user, system } = process.threadCpuUsage(begin);
  return user + system;
}
