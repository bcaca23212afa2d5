/**
 * Who is to be told when a signal aborts: one listener per signal, however many calls are under way, since adding and
 * removing one for each would cost more than the rest of a call.
 */
export class Cancellations {
  readonly #bySignal = new WeakMap<AbortSignal, Set<() => void>>();

  add(signal: AbortSignal, cancel: () => void): void {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) {
      known.add(cancel);
      return;
    }
    const cancels = new Set([cancel]);
    this.#bySignal.set(signal, cancels);
    signal.addEventListener("abort", () => cancelAll(cancels), { once: true });
  }

  delete(signal: AbortSignal, cancel: () => void): void {
    this.#bySignal.get(signal)?.delete(cancel);
  }
}

function cancelAll(cancels: Set<() => void>): void {
  for (const cancel of [...cancels]) cancel();
}
