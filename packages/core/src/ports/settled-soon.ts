/** What settles in so many turns of the microtask queue has waited for nothing. */
const SOON_MICROTASKS = 3;

/** Whether it settles without waiting for anything, as most that a plugin is asked for does: a timer costs more. */
export async function isSettledSoon(work: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  void work.then(settle, settle);
  for (let turn = 0; turn < SOON_MICROTASKS && !isSettled; turn += 1) await undefined;
  return isSettled;
}
