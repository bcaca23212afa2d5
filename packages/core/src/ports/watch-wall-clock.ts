import type { Ports } from "./ports.ts";

/**
 * Asked again and again: whether the wall clock has run as the monotonic one since it was asked last, but for what people
 * and time servers set it by.
 */
export function watchWallClock({ clock }: Pick<Ports, "clock">, setByAtMostMs: number): () => boolean {
  const measure = () => clock.now() - clock.monotonic();
  let last = measure();
  return () => {
    const before = last;
    last = measure();
    return Math.abs(last - before) <= setByAtMostMs;
  };
}
