/** Tool calls of one turn that are at work at once; the others wait for their place in order. */
export interface ToolPlaces {
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Without `most` each call has a place. */
export function createToolPlaces(most: number = Number.POSITIVE_INFINITY): ToolPlaces {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return {
    async take(work) {
      if (taken >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      // Whoever leaves hands the place on, so nobody who comes later gets it first.
      else taken += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) taken -= 1;
        else next();
      }
    },
  };
}
